import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { CallbackPosts } from '../../src/runtime/outbox/callbacks.ts';
import { createWebhookKeys } from '../../src/runtime/outbox/webhook-keys.ts';
import { createOwnersHere } from '../../src/runtime/owners-here.ts';

/** More owners than a function takes arguments. */
const OWNERS = 200_000;

it('callbacks are posted for any number of owners', async () => {
  const posted: string[] = [];
  const callbacks = new CallbackPosts({
    store: {
      nextCallback: async (reader) => {
        posted.push(reader);
        return null;
      },
      settleCallback: async () => true,
    },
    ownersHere: createOwnersHere(),
    fetch: () => Promise.reject(new Error('nothing is to be posted')),
    webhookUrl: null,
    postsMax: 8,
    webhookKeys: createWebhookKeys(),
    now: () => 0,
    happened: () => {},
    log: pino({ level: 'silent' }),
  });
  callbacks.load(Array.from({ length: OWNERS }, (_, i) => ({ reader: `owner${i}`, due_at: i === 7 ? 0 : 60_000 })));
  callbacks.poll();
  await vi.waitUntil(() => posted.length === 1);
  callbacks.resent('owner8');
  await vi.waitUntil(() => posted.length === 2);
  callbacks.stop();
  expect(posted).toEqual(['owner7', 'owner8']);
});
