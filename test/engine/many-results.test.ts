import { expect, it } from 'vitest';
import { runOutside } from '../../src/engine/perform/run-outside.ts';
import type { OutsideTool, TaskToolCall } from '../../src/tools/port.ts';

const call = { language: 'en', signal: new AbortController().signal } as Omit<TaskToolCall, 'workspace'>;

it.each([true, false])(
  'results that come at once are handed on some in each turn of the event loop (ok: %s)',
  async (ok) => {
    const gate = Promise.withResolvers<{ ok: boolean; result: string }>();
    const tool = { name: 'gate', effect: 'idempotent', run: () => gate.promise } as unknown as OutsideTool;
    let handedOn = 0;
    const all = Array.from({ length: 500 }, () =>
      runOutside(tool, 'x', call, () => '/', 60_000).then((result) => {
        handedOn += 1;
        return result;
      }),
    );
    if (ok) gate.resolve({ ok, result: 'fine' });
    else gate.reject(new Error('fine'));
    await new Promise(setImmediate);
    expect(handedOn).toBeLessThan(100);
    for (const result of await Promise.all(all)) expect(result).toEqual({ ok, result: 'fine' });
  },
);
