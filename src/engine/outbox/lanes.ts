/**
 * Whose turn it is to have something posted. Each reader has a lane of its own and they take turns, so that one whose receiver hangs
 * holds up no other. In memory: when each lane is due next.
 */
export interface Lanes {
  /** Something of the lane is due at this time, epoch milliseconds. */
  add(lane: string, at: number): void;
  /** The next lane that is due at `now` and may be taken, which goes behind the others; undefined where none is. It is due no more until it is added again. */
  take(now: number, mayTake: (lane: string) => boolean): string | undefined;
  /** The lanes that are due at some time. */
  names(): string[];
  /** When the first lane that may be taken is due; null where none is. */
  nextAt(mayTake: (lane: string) => boolean): number | null;
}

/** Makes it without a lane. */
export const createLanes = (): Lanes => {
  const due = new Map<string, number>();
  return {
    add: (lane, at) => void due.set(lane, Math.min(due.get(lane) ?? at, at)),
    take: (now, mayTake) => {
      for (const [lane, at] of due)
        if (at <= now && mayTake(lane)) {
          due.delete(lane);
          return lane;
        }
      return undefined;
    },
    names: () => [...due.keys()],
    nextAt: (mayTake) => {
      let next: number | null = null;
      for (const [lane, at] of due) if ((next === null || at < next) && mayTake(lane)) next = at;
      return next;
    },
  };
};
