import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCallbacks } from '../../src/engine/outbox/callbacks.ts';

/** Longest that a post may be open, in milliseconds. */
const TIMEOUT_MS = 10_000;

it('posts to receivers that answer while those of many other owners hang, again and again', async () => {
  let now = 1;
  const due = new Map<string, number>();
  const add = (readers: string[], each: number) => {
    for (const reader of readers) for (let i = 0; i < each; i += 1) due.set(`${reader} ${i}`, now);
    return readers.map((reader) => ({ reader, due_at: now, pending: each }));
  };
  const idsOf = (reader: string) => [...due].filter(([id]) => id.startsWith(`${reader} `));
  const hanging: (() => void)[] = [];
  const answered: string[] = [];
  const callbacks = createCallbacks({
    store: {
      dueCallbackIds: async (reader, at, limit) =>
        idsOf(reader)
          .flatMap(([id, dueAt]) => (dueAt <= at ? [id] : []))
          .slice(0, limit),
      pendingCallback: async (id) => {
        const reader = id.split(' ')[0]!;
        return {
          ...{ id, reader, owner: reader, event: 'turn.finished', url: `http://${reader}.example/`, data: {} },
          ...{ turn_id: null, created_at: 1, attempts: 0 },
        };
      },
      nextCallbackAt: async (reader, at) => idsOf(reader).find(([, dueAt]) => dueAt > at)?.[1] ?? null,
      settleCallback: async (id, result) => {
        if (result.state === 'pending') due.set(id, result.retryAt);
        else due.delete(id);
        return true;
      },
      giveUpOldest: async () => 0,
      hurryCallbacks: async () => false,
    },
    fetch: (url) =>
      new Promise((resolve, reject) => {
        if (url.startsWith('http://hangs')) hanging.push(() => reject(new Error('timeout')));
        else {
          answered.push(url);
          resolve(new Response(null, { status: 204 }));
        }
      }),
    ...{ webhookUrl: null, postsMax: 8, webhookPendingMax: 10, deferred: () => undefined, sign: () => ({}) },
    ...{ now: () => now, random: () => 0, onPosted: () => {}, onUrlEnded: () => {}, onEnded: () => {} },
    log: pino({ level: 'silent' }),
  });
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  callbacks.load(add(names('hangs', 30), 10));
  callbacks.poll();
  await expect.poll(() => hanging.length).toBe(16);
  // From the second time on they are known, and have half of the posts.
  for (let round = 0; round < 3; round += 1) {
    now += TIMEOUT_MS;
    for (const timeout of hanging.splice(0)) timeout();
    await expect.poll(() => hanging.length).toBeGreaterThanOrEqual(8);
  }
  callbacks.load(add(names('answers', 10), 10));
  callbacks.poll();
  await expect.poll(() => answered.length).toBe(100);
  expect(hanging).toHaveLength(8);
  callbacks.stop();
});
