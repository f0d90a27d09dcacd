import { expect, it } from 'vitest';
import type { CallStore, KeptCall } from '../../src/engine/calls/call-store.ts';
import { createKeptCalls } from '../../src/engine/calls/kept-calls.ts';
import { createLog } from '../../src/lib/log.ts';
import type { ModelReply, ModelRequest } from '../../src/models/port.ts';
import { recording } from '../../src/models/record.ts';

const CHARS = 1_000_000;

const reply = (): ModelReply => ({
  text: 'x'.repeat(CHARS),
  fault: 'none',
  usage: { input_tokens: 0, output_tokens: 0 },
});
const request = { effect_id: 'task_a.1', contract: 'plan', task: { task_id: 'task_a' } } as unknown as ModelRequest;

/** A store that holds all writing up until it is let go. */
const heldStore = () => {
  const rows: KeptCall[] = [];
  const go = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const store: Partial<CallStore> = {
    add: async (calls) => {
      began.resolve();
      await go.promise;
      rows.push(...calls);
      return true;
    },
    forget: async () => 0,
  };
  return { store: store as CallStore, rows, began: began.promise, letGo: go.resolve };
};

it('keeps no more calls than have 32 Mi characters while they wait or are written', async () => {
  const { store, rows, began, letGo } = heldStore();
  const log = createLog({ level: 'silent' });
  const kept = createKeptCalls({ store, days: 1, keptMax: 1e9, mask: (text) => text, now: Date.now, log });
  const model = recording({ name: 'test', answer: async () => reply() }, kept.keep);
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, () => model.answer(request, new AbortController().signal)));
  await ask(80);
  await began;
  await ask(80);
  letGo();
  await kept.stop();
  expect(rows).toHaveLength(Math.floor((32 * 1024 * 1024) / CHARS));
});
