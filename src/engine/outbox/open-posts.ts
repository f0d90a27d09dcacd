/** Posts that are open for less than a second at once, and posts of one reader: more would take the connections and the memory that turns need. */
export const POSTS_MAX = 16;

/** Posts that are open at once in all, until their receivers answer or their time is over. */
const OPEN_MAX = 128;

/** Of these, those of all readers together whose receivers are slow: the rest is for all others. */
const SLOW_POSTS_MAX = 64;

/** How long a receiver takes that is slow, in milliseconds. */
const SLOW_MS = 1_000;

/** How long a reader counts as slow after such a post, in milliseconds. */
const SLOW_KEPT_MS = 5 * 60 * 1_000;

interface OpenPost {
  readonly reader: string;
  readonly at: number;
}

/**
 * The posts that are open, in memory, and which readers have a slow receiver. A post that has become slow holds no place of those that are answered soon, and
 * readers that were slow lately have half of all places: so that however many receivers hang, all others are posted to. Times are in epoch milliseconds.
 */
export interface OpenPosts {
  begin(id: string, reader: string, at: number): void;
  end(id: string, at: number): void;
  has(id: string): boolean;
  isFull(): boolean;
  /** Tells of readers whether one more post of theirs may begin now. */
  readersAt(now: number): (reader: string) => boolean;
  /** When the next post becomes slow; null where none does. */
  nextSlowAt(now: number): number | null;
}

/** Makes it without a post. */
export const createOpenPosts = (): OpenPosts => {
  const open = new Map<string, OpenPost>();
  /** When a slow post of a reader ended, the oldest first. */
  const slowEnds = new Map<string, number>();

  // Either way: the clock may have been set back.
  const wasSlow = (reader: string, now: number): boolean =>
    Math.abs(now - (slowEnds.get(reader) ?? Number.NEGATIVE_INFINITY)) < SLOW_KEPT_MS;

  const isSlow = ({ reader, at }: OpenPost, now: number): boolean => now - at >= SLOW_MS || wasSlow(reader, now);

  return {
    begin: (id, reader, at) => void open.set(id, { reader, at }),
    end: (id, now) => {
      const { reader, at } = open.get(id)!;
      open.delete(id);
      if (now - at < SLOW_MS) return;
      slowEnds.delete(reader);
      slowEnds.set(reader, now);
      for (const [oldest, endedAt] of slowEnds) {
        if (now - endedAt < SLOW_KEPT_MS) return;
        slowEnds.delete(oldest);
      }
    },
    has: (id) => open.has(id),
    isFull: () => open.size >= OPEN_MAX,
    readersAt: (now) => {
      const posts = [...open.values()];
      const slow = posts.filter((post) => isSlow(post, now));
      const slowReaders = new Set(slow.map(({ reader }) => reader));
      const ofReader = Map.groupBy(posts, ({ reader }) => reader);
      const maySlow = slow.length < SLOW_POSTS_MAX;
      const mayOthers = posts.length - slow.length < POSTS_MAX;
      return (reader) =>
        (slowReaders.has(reader) || wasSlow(reader, now) ? maySlow : mayOthers) &&
        (ofReader.get(reader)?.length ?? 0) < POSTS_MAX;
    },
    nextSlowAt: (now) => {
      const quick = [...open.values()].filter((post) => !isSlow(post, now));
      return quick.length === 0 ? null : Math.min(...quick.map(({ at }) => at)) + SLOW_MS;
    },
  };
};
