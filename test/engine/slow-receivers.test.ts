import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createCallbacks } from '../../src/engine/outbox/callbacks.ts';

/** Longest that a post may be open, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Readers whose receivers hang or answer, as their names say, and a clock. */
const startPosting = () => {
  let now = 1;
  const due = new Map<string, number>();
  const add = (readers: string[], each: number) => {
    for (const reader of readers) for (let i = 0; i < each; i += 1) due.set(`${reader} ${i}`, now);
    return readers.map((reader) => ({ reader, due_at: now, pending: each }));
  };
  const idsOf = (reader: string) => [...due].filter(([id]) => id.startsWith(`${reader} `));
  const hanging: { at: number; end(): void }[] = [];
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
      settleCallback: async (_owner, id, result) => {
        if (result.state === 'pending') due.set(id, result.retryAt);
        else due.delete(id);
        return true;
      },
      expediteCallbacks: async () => {},
    },
    fetch: (url) =>
      new Promise((resolve, reject) => {
        if (url.startsWith('http://hangs')) hanging.push({ at: now, end: () => reject(new Error('timeout')) });
        else {
          answered.push(url);
          resolve(new Response(null, { status: 204 }));
        }
      }),
    ...{ webhookUrl: null, postsMax: 8, deferred: () => undefined, sign: () => ({}) },
    ...{ now: () => now, random: () => 0, happened: () => {}, onUrlEnded: () => {} },
    log: pino({ level: 'silent' }),
  });
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  onTestFinished(callbacks.stop);
  /** Lets everything be posted that may be at this time. */
  const settle = async (): Promise<void> => {
    callbacks.poll();
    for (let still = 0, before = -1; still < 50; await nextTurn()) {
      const posts = hanging.length + answered.length;
      still = posts === before ? still + 1 : 0;
      before = posts;
    }
  };
  return {
    ...{ hanging, answered },
    load: (prefix: string, count: number, each: number) => callbacks.load(add(names(prefix, count), each)),
    /** A second passes; posts whose time is over are ended. */
    second: async () => {
      now += 1_000;
      const kept = hanging.filter(({ at }) => now - at < TIMEOUT_MS);
      for (const { at, end } of hanging.splice(0, hanging.length, ...kept)) if (now - at >= TIMEOUT_MS) end();
      await settle();
    },
    settle,
  };
};

it('posts to receivers that answer while those of other owners hang', async () => {
  const { hanging, answered, load, settle } = startPosting();
  load('hangs', 7, 20);
  load('answers', 100, 3);
  await settle();
  expect(hanging).toHaveLength(7 * 16);
  expect(answered).toHaveLength(300);
});

it('goes on with what waited once receivers that hang have had their time', async () => {
  const { hanging, answered, load, second, settle } = startPosting();
  load('hangs', 100, 3);
  await settle();
  expect(hanging).toHaveLength(128);
  load('answers', 10, 10);
  for (let seconds = 0; seconds < 200; seconds += 1) await second();
  expect(answered).toHaveLength(100);
});

it('posts to one receiver that hangs 16 at once at most', async () => {
  const { hanging, load, second, settle } = startPosting();
  load('hangs', 1, 100);
  await settle();
  for (let seconds = 0; seconds < 9; seconds += 1) await second();
  expect(hanging).toHaveLength(16);
});
