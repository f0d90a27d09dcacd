import type { AnswerNews } from '../../contracts/stream.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { Narration } from '../history/narration.ts';
import { isRemoval } from '../session/change.ts';
import type { Commit } from '../session/commit.ts';
import { keyText, type SessionImage, type SessionKey } from '../session/image.ts';
import { newTraceEntries } from '../session/new-entries.ts';

/** Most entries that wait for one follower. One that is further behind reads the store. */
const ENTRIES_WAITING = 16;

/** An item for the followers of a session. All of them get the same object. */
export type FeedItem = Narration | TraceEntry | AnswerNews;

export const isNews = (item: FeedItem): item is AnswerNews => 'data' in item;

/**
 * The queue of one follower. If it grows too long, or something was not published, the follower is behind and has to
 * read the store.
 */
class Subscription {
  /** Also gets answers while models write them. */
  readonly isWatching: boolean;
  #items: FeedItem[] = [];
  #entries = 0;
  #isBehind = true;
  #isEnded = false;
  #wake = (): void => {};

  constructor(isWatching: boolean) {
    this.isWatching = isWatching;
  }

  /** True once nothing more comes. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Adds items in order. A follower that is behind finds entries in the store. */
  push(items: readonly FeedItem[]): void {
    for (const item of items) {
      if (isNews(item)) this.#items.push(item);
      else if (!this.#isBehind) {
        this.#entries += 1;
        this.#items.push(item);
      }
    }
    if (this.#entries > ENTRIES_WAITING) this.fallBehind();
    this.#wake();
  }

  /** Drops the waiting entries, which the store has. */
  fallBehind(): void {
    this.#isBehind = true;
    this.#items = this.#items.filter(isNews);
    this.#entries = 0;
    this.#wake();
  }

  /** True if the follower has to read the store now. Whatever is published from now on waits again. */
  catchesUp(): boolean {
    const wasBehind = this.#isBehind;
    this.#isBehind = false;
    return wasBehind;
  }

  /** Takes everything that waits. */
  take(): readonly FeedItem[] {
    const taken = this.#items;
    this.#items = [];
    this.#entries = 0;
    return taken;
  }

  /** Resolves when there is something to do; null: there already is. */
  more(): Promise<void> | null {
    if (this.#isEnded || this.#isBehind || this.#items.length > 0) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }
}

/**
 * Creates the feed of a process: it passes commits from memory to the followers of a session, once for all of them. It
 * stores nothing and reads nothing. A follower subscribes first, then reads the store, and drops what it has read.
 */
export const createFeed = () => {
  const followed = new Map<string, Set<Subscription>>();
  const of = (session: SessionKey): Iterable<Subscription> => followed.get(keyText(session)) ?? [];
  return {
    /** Subscribes to a session, until `leave`. A new subscription is behind. */
    subscribe: (session: SessionKey, isWatching: boolean): Subscription => {
      const key = keyText(session);
      const subscriptions = followed.get(key) ?? new Set();
      followed.set(key, subscriptions);
      const subscription = new Subscription(isWatching);
      subscriptions.add(subscription);
      return subscription;
    },
    leave: (session: SessionKey, subscription: Subscription): void => {
      const key = keyText(session);
      const subscriptions = followed.get(key);
      subscriptions?.delete(subscription);
      if (subscriptions?.size === 0) followed.delete(key);
    },
    isFollowed: (session: SessionKey): boolean => followed.has(keyText(session)),
    /**
     * Passes the entries of a stored decision to the followers of its session, and ends them if it removes the session.
     */
    committed: ({ decision }: Commit): void => {
      const { session } = decision.image;
      const subscriptions = followed.get(keyText(session));
      if (subscriptions === undefined) return;
      if (isRemoval(decision)) {
        for (const subscription of subscriptions) subscription.end();
        return;
      }
      const entries = newTraceEntries(decision);
      if (entries.length > 0) for (const subscription of subscriptions) subscription.push(entries);
    },
    /** Passes what models write in a session to its watching followers. */
    tell: (session: SessionKey, news: AnswerNews): void => {
      for (const subscription of of(session)) if (subscription.isWatching) subscription.push([news]);
    },
    /** The session may have entries that were not published. */
    reloaded: (_before: SessionImage, { session }: SessionImage): void => {
      for (const subscription of of(session)) subscription.fallBehind();
    },
  };
};
export type Feed = ReturnType<typeof createFeed>;
