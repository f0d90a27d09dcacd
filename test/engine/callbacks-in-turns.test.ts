import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCallbacks } from '../../src/engine/outbox/callbacks.ts';
import type { PendingCallback } from '../../src/engine/outbox/message.ts';
import { longestBlock } from '../support/longest-block.ts';

const READERS = 24;

it('callbacks of many readers that are due at once are each read and posted in a turn of the event loop of their own', async () => {
  const posted = new Set<string>();
  const all = Promise.withResolvers<void>();
  const callbacks = createCallbacks({
    store: {
      dueCallbackIds: async (reader) => (posted.has(reader) ? [] : [reader]),
      // As long as the view of a large task takes.
      pendingCallback: async (reader) => {
        for (const from = performance.now(); performance.now() - from < 10; );
        const callback: PendingCallback = {
          ...{ id: reader, reader, owner: reader, event: 'turn.finished', url: 'http://a.example/' },
          ...{ data: {}, turn_id: null, created_at: 1, attempts: 0 },
        };
        return callback;
      },
      nextCallbackAt: async () => null,
      hurryCallbacks: async () => false,
      settleCallback: async () => true,
      giveUpOldest: async () => 0,
    },
    fetch: async (_, { headers }) => {
      posted.add((headers as Record<string, string>)['idempotency-key'] ?? '');
      if (posted.size === READERS) all.resolve();
      return new Response(null, { status: 204 });
    },
    ...{ webhookUrl: null, postsMax: 8, webhookPendingMax: 10, deferred: () => undefined, sign: () => ({}) },
    ...{ now: Date.now, random: () => 0, onPosted: () => {}, onUrlEnded: () => {}, onEnded: () => {} },
    log: pino({ level: 'silent' }),
  });
  callbacks.load(Array.from({ length: READERS }, (_, i) => ({ reader: `owner${i}`, due_at: 1, pending: 1 })));
  const block = await longestBlock(async () => {
    callbacks.poll();
    await all.promise;
  });
  callbacks.stop();
  expect(block).toBeLessThan(50);
});
