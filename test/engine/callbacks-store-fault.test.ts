import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createCallbacks } from '../../src/engine/outbox/callbacks.ts';
import { WEBHOOK_READER } from '../../src/engine/outbox/message.ts';
import { seenLog } from '../support/mcp/setup.ts';

it('a store that can not be read for long has one line a minute in the log, however often it is asked', async () => {
  const seen = seenLog();
  let now = 1;
  let asked = 0;
  const callbacks = createCallbacks({
    store: {
      dueCallbackIds: async () => {
        asked += 1;
        throw new Error('the disk is full');
      },
      pendingCallback: async () => null,
      nextCallbackAt: async () => null,
      expediteCallbacks: async () => {},
      settleCallback: async () => true,
    },
    fetch: async () => new Response(null, { status: 204 }),
    ...{ webhookUrl: 'http://hook.example/', postsMax: 8, deferred: () => undefined, sign: () => ({}) },
    ...{ now: () => now, random: () => 0, happened: () => {}, onUrlEnded: () => {} },
    log: seen.log,
  });
  onTestFinished(callbacks.stop);
  callbacks.load([{ reader: WEBHOOK_READER, due_at: 1, pending: 12 }]);
  for (let polls = 0; polls < 20; polls += 1) {
    callbacks.poll();
    now += 60_000;
    for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  }
  expect(asked).toBeGreaterThan(2);
  expect(seen.text().match(/callbacks can not be read/g)).toHaveLength(1);
});
