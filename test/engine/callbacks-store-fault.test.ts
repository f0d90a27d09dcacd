import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createCallbacks } from '../../src/engine/outbox/callbacks.ts';
import { type PendingCallback, WEBHOOK_READER } from '../../src/engine/outbox/message.ts';
import { seenLog } from '../support/mcp/setup.ts';

const WEBHOOK = 'http://hook.example/';

const event: PendingCallback = {
  ...{ id: 'e1', reader: WEBHOOK_READER, owner: 'ada', event: 'turn.finished', url: null },
  ...{ data: {}, turn_id: null, created_at: 1, attempts: 0 },
};

/** The webhook's callbacks, of which `pending` wait and 10 may, on a store that gives up as `giveUpOldest` says. */
const open = (pending: number, giveUpOldest: () => Promise<number>, log = pino({ level: 'silent' })) => {
  const posted = Promise.withResolvers<void>();
  let due = ['e1'];
  const callbacks = createCallbacks({
    store: {
      dueCallbackIds: async () => due,
      pendingCallback: async () => event,
      nextCallbackAt: async () => null,
      hurryCallbacks: async () => false,
      settleCallback: async () => {
        due = [];
        return true;
      },
      giveUpOldest,
    },
    fetch: async () => {
      posted.resolve();
      return new Response(null, { status: 204 });
    },
    ...{ webhookUrl: WEBHOOK, postsMax: 8, webhookPendingMax: 10, deferred: () => undefined, sign: () => ({}) },
    ...{ now: Date.now, random: () => 0, onPosted: () => {}, onUrlEnded: () => {}, onEnded: () => {} },
    log,
  });
  onTestFinished(callbacks.stop);
  callbacks.load([{ reader: WEBHOOK_READER, due_at: 1, pending }]);
  callbacks.poll();
  return { callbacks, posted: posted.promise };
};

it('events are posted, and nothing is asked of the store again and again, while those beyond the limit can not be given up', async () => {
  let asked = 0;
  const { posted } = open(12, async () => {
    asked += 1;
    throw new Error('the disk is full');
  });
  await posted;
  for (let turns = 0; turns < 100; turns += 1) await nextTurn();
  expect(asked).toBeLessThan(5);
});

it('events beyond the limit are given up some at a time', async () => {
  const { callbacks, posted } = open(1_000, async () => 300);
  await posted;
  expect(callbacks.webhookPending()).toBeLessThanOrEqual(10);
});

it('a store that can not be read for long has one line a minute in the log, however often it is asked', async () => {
  const seen = seenLog();
  let asked = 0;
  const fail = async () => {
    asked += 1;
    throw new Error('the disk is full');
  };
  const { callbacks, posted } = open(12, fail, seen.log);
  await posted;
  for (let polls = 0; polls < 20; polls += 1) {
    callbacks.poll();
    await nextTurn();
    await nextTurn();
  }
  expect(asked).toBeGreaterThan(2);
  expect(seen.text().match(/callbacks can not be read/g)).toHaveLength(1);
});
