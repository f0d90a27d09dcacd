/** Posts that are open at once: more would take the connections and the memory that turns need. */
export const POSTS_MAX = 16;

/** Of these, those of all readers together whose receivers are slow: the rest is for all others. */
const SLOW_POSTS_MAX = 8;

/** How long a receiver takes that is slow, in milliseconds. */
const SLOW_MS = 1_000;

/** How long a reader counts as slow after such a post, in milliseconds. */
const SLOW_KEPT_MS = 5 * 60 * 1_000;

/**
 * The posts that are open, in memory, and which readers have a slow receiver: these have half of them, so that however many receivers hang, all
 * others are posted to. Times are in epoch milliseconds.
 */
export interface OpenPosts {
  begin(id: string, reader: string, at: number): void;
  end(id: string, at: number): void;
  has(id: string): boolean;
  isFull(): boolean;
  /** Tells of readers whether one more post of theirs may begin now. */
  readersAt(now: number): (reader: string) => boolean;
}

/** Makes it without a post. */
export const createOpenPosts = (): OpenPosts => {
  const open = new Map<string, { reader: string; at: number }>();
  /** When a slow post of a reader ended, the oldest first. */
  const slowEnds = new Map<string, number>();

  // Either way: the clock may have been set back.
  const wasSlow = (reader: string, now: number): boolean =>
    Math.abs(now - (slowEnds.get(reader) ?? Number.NEGATIVE_INFINITY)) < SLOW_KEPT_MS;

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
    isFull: () => open.size >= POSTS_MAX,
    readersAt: (now) => {
      const posts = [...open.values()];
      const areSlow = new Set(posts.filter(({ at }) => now - at >= SLOW_MS).map(({ reader }) => reader));
      const isSlow = (reader: string): boolean => areSlow.has(reader) || wasSlow(reader, now);
      const maySlow = posts.filter(({ reader }) => isSlow(reader)).length < SLOW_POSTS_MAX;
      return (reader) => maySlow || !isSlow(reader);
    },
  };
};
