import { setImmediate } from 'node:timers/promises';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { Engine } from '../engine/port.ts';
import { createLoopSlices } from '../event-loop/loop-slices.ts';
import { createNarrator, type Narration, type Narrator } from '../projections/progress-stream.ts';
import { writeEntry } from './event-stream.ts';

/** An entry, what it has to tell, and that as the messages that a follower is sent. */
export interface FeedItem {
  entry: TraceEntry;
  narration: Narration;
  messages: string;
}

/** What followers of sessions are sent. Those of one session share one reading and one fold of its entries. */
export interface SessionFeeds {
  /**
   * A session's entries after a seq, then new ones as they are committed, until `signal` aborts: those that are there already
   * some at a time. Without gap or repeat.
   */
  follow(owner: string, sessionId: string, after: number, signal: AbortSignal): AsyncGenerator<FeedItem[]>;
}

/** Most characters of messages kept for followers that come later, of all sessions together: about 20 MB with their entries. */
const KEPT_CHARS_MAX = 4_000_000;

/** Most items that a follower is given at once, in one slice of the event loop. */
const ITEMS_A_SLICE = 8;

/** Characters of messages after which a follower is given no further item with them: one that never reads keeps them all. */
const CHARS_A_SLICE = 32 * 1024;

/** Entries of a task's history that are folded in one slice: a few milliseconds of work. */
const FOLDED_A_SLICE = 100;

/** The same entries, with the event loop let on again and again. */
async function* inSlices<Entry>(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let count = 0;
  for await (const entry of entries) {
    yield entry;
    count += 1;
    if (count % FOLDED_A_SLICE === 0) await setImmediate();
  }
}

/** One reading of a session's entries. It advances as fast as its fastest follower. */
interface Feed {
  source: AsyncIterator<TraceEntry>;
  /** The next entry where it has been asked for, and has not come yet. */
  next: Promise<IteratorResult<TraceEntry>> | null;
  narrate: Narrator;
  /** Seq of the last entry that was read. */
  at: number;
  /** Newest items, by the seq that each came directly behind. */
  items: Map<number, FeedItem>;
  isReading: boolean;
  isOver: boolean;
  failure: { error: unknown } | null;
  waiting: Set<() => void>;
  followers: number;
  close(): void;
}

const isOpen = ({ isOver, failure }: Feed): boolean => !isOver && failure === null;

/** Makes the feeds of an engine's sessions. A session without followers has none. */
export const createSessionFeeds = (engine: Pick<Engine, 'follow' | 'taskTrace'>): SessionFeeds => {
  const feedsOf = new Map<string, Feed[]>();
  const kept = new Map<FeedItem, { feed: Feed; behind: number }>();
  const slices = createLoopSlices();
  let chars = 0;

  const drop = (item: FeedItem): void => {
    const { feed, behind } = kept.get(item)!;
    kept.delete(item);
    feed.items.delete(behind);
    chars -= item.messages.length;
  };

  const keep = (feed: Feed, item: FeedItem): void => {
    kept.set(item, { feed, behind: feed.at });
    feed.items.set(feed.at, item);
    feed.at = item.entry.seq;
    chars += item.messages.length;
    // The oldest are dropped first; this one stays, because a caller waits for it.
    for (const [oldest] of kept) {
      if (chars <= KEPT_CHARS_MAX || oldest === item) break;
      drop(oldest);
    }
  };

  /** Reads what comes next, and what is there directly behind it: to wake all followers for each entry alone would cost far more. */
  const read = async (feed: Feed): Promise<void> => {
    feed.isReading = true;
    const turnOver = setImmediate(null);
    try {
      for (let count = 0; count < ITEMS_A_SLICE && feed.followers > 0; count++) {
        feed.next ??= feed.source.next();
        const result = await (count === 0 ? feed.next : Promise.race([feed.next, turnOver]));
        if (result === null) break;
        feed.next = null;
        const { value: entry, done } = result;
        feed.isOver = done === true;
        if (feed.isOver) break;
        const narration = await feed.narrate(entry);
        // All followers may have left meanwhile, and the feed is closed.
        if (feed.followers > 0) keep(feed, { entry, narration, messages: writeEntry(entry, narration) });
      }
    } catch (error) {
      feed.failure = { error };
    }
    feed.isReading = false;
    for (const wake of feed.waiting) wake();
  };

  /** Resolves when the feed has come further, or has ended, or `signal` aborts. */
  const further = (feed: Feed, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        feed.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      if (signal.aborted) return resolve();
      feed.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (!feed.isReading) void read(feed);
    });

  const open = (owner: string, sessionId: string, after: number, key: string): Feed => {
    const closing = new AbortController();
    const source = engine.follow(owner, sessionId, after, closing.signal)[Symbol.asyncIterator]();
    const feed: Feed = {
      source,
      next: null,
      narrate: createNarrator((taskId) => inSlices(engine.taskTrace(owner, taskId))),
      at: after,
      items: new Map(),
      isReading: false,
      isOver: false,
      failure: null,
      waiting: new Set(),
      followers: 0,
      close: () => {
        closing.abort();
        void source.return?.().catch(() => {});
        for (const item of feed.items.values()) drop(item);
        const others = (feedsOf.get(key) ?? []).filter((other) => other !== feed);
        if (others.length === 0) feedsOf.delete(key);
        else feedsOf.set(key, others);
      },
    };
    feedsOf.set(key, [...(feedsOf.get(key) ?? []), feed]);
    return feed;
  };

  async function* follow(
    owner: string,
    sessionId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<FeedItem[]> {
    const key = `${owner}~${sessionId}`;
    let seen = after;
    let own: Feed | undefined;
    const leave = (): void => {
      if (own === undefined) return;
      own.followers -= 1;
      if (own.followers === 0) own.close();
    };
    /** The oldest feed that has what comes next: readings that have come to the same place become one. */
    const join = (): Feed => {
      const serves = (feed: Feed): boolean =>
        feed.items.has(seen) || (feed.at === seen && (isOpen(feed) || feed === own));
      const feed = feedsOf.get(key)?.find(serves) ?? open(owner, sessionId, seen, key);
      if (feed === own) return feed;
      feed.followers += 1;
      leave();
      own = feed;
      return feed;
    };
    try {
      while (!signal.aborted) {
        await slices.next();
        if (signal.aborted) return;
        const feed = join();
        const items: FeedItem[] = [];
        let size = 0;
        for (let item = feed.items.get(seen); item !== undefined; item = feed.items.get(seen)) {
          items.push(item);
          seen = item.entry.seq;
          size += item.messages.length;
          if (items.length === ITEMS_A_SLICE || size >= CHARS_A_SLICE) break;
        }
        if (items.length > 0) yield items;
        else if (feed.failure !== null) throw feed.failure.error;
        else if (feed.isOver) return;
        else await further(feed, signal);
      }
    } finally {
      leave();
    }
  }

  return { follow };
};
