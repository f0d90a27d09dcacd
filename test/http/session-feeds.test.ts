import { describe, expect, it } from 'vitest';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { createSessionFeeds, type FeedItem } from '../../src/http/session-feeds.ts';
import { goldenLines } from '../support/golden/files.ts';

const entries = goldenLines('dependencies-out-of-order') as unknown as TaskTraceEntry[];
const LAST = entries.length;

/** A session that has the golden task's entries up to one, and gets the next when it is let. */
const openSession = (stored = LAST) => {
  let last = stored;
  let grown = Promise.withResolvers<void>();
  const counts = { read: 0, folded: 0, open: 0 };
  const feeds = createSessionFeeds({
    follow: async function* (_owner, _session, after, signal) {
      counts.open += 1;
      try {
        for (let seen = after; !signal.aborted; ) {
          const next = entries.find(({ seq }) => seq > seen && seq <= last);
          if (next === undefined) {
            await Promise.race([grown.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
            continue;
          }
          seen = next.seq;
          counts.read += 1;
          yield next;
        }
      } finally {
        counts.open -= 1;
      }
    },
    taskTrace: async function* () {
      for (const entry of entries) {
        counts.folded += 1;
        yield entry;
      }
    },
  });
  return {
    feeds,
    counts,
    grow: () => {
      last += 1;
      grown.resolve();
      grown = Promise.withResolvers();
    },
  };
};

type Session = ReturnType<typeof openSession>;

/** Follows from behind a seq to the one that is last. */
const take = async ({ feeds }: Session, after: number, last = LAST): Promise<FeedItem[]> => {
  const items: FeedItem[] = [];
  for await (const some of feeds.follow('local', 's1', after, new AbortController().signal)) {
    items.push(...some);
    if (items.at(-1)?.entry.seq === last) break;
  }
  return items;
};

describe('followers of one session', () => {
  it('share one reading and one fold of its entries', async () => {
    const session = openSession();
    const all = await Promise.all(Array.from({ length: 50 }, () => take(session, 0)));
    expect(all[0]?.map(({ entry }) => entry)).toEqual(entries);
    for (const items of all) expect(items).toEqual(all[0]);
    expect(session.counts).toMatchObject({ read: LAST, folded: 0 });
  });

  it('get the same messages wherever they begin', async () => {
    const whole = await take(openSession(), 0);
    const session = openSession();
    const ahead = take(session, 0);
    const later = await Promise.all(entries.slice(0, -1).map(({ seq }) => take(session, seq)));
    expect(await ahead).toEqual(whole);
    for (const [i, items] of later.entries()) expect(items).toEqual(whole.slice(i + 1));
  });

  it('get what comes at the same time, and read it once, also when they came to it on different ways', async () => {
    const session = openSession(LAST - 2);
    const live = [take(session, LAST - 2), take(session, LAST - 3), take(session, 0)];
    await expect.poll(() => session.counts.open).toBe(1);
    const before = session.counts.read;
    session.grow();
    await expect.poll(() => session.counts.read).toBe(before + 1);
    session.grow();
    const [first, second, third] = await Promise.all(live);
    expect(second?.slice(1)).toEqual(first);
    expect(third?.slice(-2)).toEqual(first);
    expect(session.counts.read).toBe(before + 2);
  });

  it('leave nothing open behind them', async () => {
    const session = openSession();
    await Promise.all([take(session, 0), take(session, 3)]);
    await expect.poll(() => session.counts.open).toBe(0);
    expect(await take(session, LAST - 1)).toHaveLength(1);
  });

  it('end over turns of the event loop where the session ends, however many there are', async () => {
    const removed = Promise.withResolvers<void>();
    const feeds = createSessionFeeds({
      // biome-ignore lint/correctness/useYield: the session has no entry.
      follow: async function* () {
        await removed.promise;
      },
      taskTrace: async function* () {},
    });
    let ended = 0;
    const follow = async (): Promise<void> => {
      for await (const _ of feeds.follow('local', 's1', 0, new AbortController().signal));
      ended += 1;
    };
    const all = Array.from({ length: 200 }, follow);
    for (const _ of all) await new Promise(setImmediate);
    removed.resolve();
    let most = 0;
    for (let before = 0; ended < all.length; before = ended) {
      await new Promise(setImmediate);
      most = Math.max(most, ended - before);
    }
    expect(most).toBeLessThanOrEqual(32);
  });

  it('are all rejected when the reading fails', async () => {
    const feeds = createSessionFeeds({
      // biome-ignore lint/correctness/useYield: it fails before there is anything to give.
      follow: async function* () {
        throw new Error('the disk is gone');
      },
      taskTrace: async function* () {},
    });
    const follow = async (): Promise<void> => {
      for await (const _ of feeds.follow('local', 's1', 0, new AbortController().signal));
    };
    const results = await Promise.allSettled([follow(), follow()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
