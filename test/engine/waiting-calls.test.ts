import { expect, it } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { createCallKeeper } from '../../src/runtime/calls/call-keeper.ts';
import type { KeptCall } from '../../src/store/call-body.ts';

it('keeps no more than 500 calls that wait to be written', async () => {
  const rows: KeptCall[] = [];
  const store = { add: async (calls: readonly KeptCall[]) => rows.push(...calls) > 0, forget: async () => 0 };
  const log = createLog({ level: 'silent' });
  const parts = { days: 1, keptMax: 1e9, mask: (text: string) => text, now: Date.now, log };
  const kept = createCallKeeper({ store, ...parts });
  const call = { task_id: 'task_a', effect_id: 'task_a.1', contract: 'plan', model: 'test', duration_ms: 1 } as const;
  for (let i = 0; i < 501; i += 1) kept.keep({ ...call, sent: null, reply: null, failure: 'none' });
  await kept.stop();
  expect(rows).toHaveLength(500);
});
