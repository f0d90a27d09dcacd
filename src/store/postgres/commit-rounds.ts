/** Work that waits for its round. */
export interface Waiting<Work> {
  work: Work;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Most works in one round: more would make no statement cheaper. */
const ROUND_MAX = 256;

interface RoundWork {
  owner: string;
  isAlone: boolean;
}

/** Works of one kind, of which one round at a time is under way. */
interface Queue<Work> {
  waiting: Waiting<Work>[];
  isUnderWay: boolean;
  /** The owners of the round under way. */
  owners: ReadonlySet<string>;
}

const emptyQueue = <Work>(): Queue<Work> => ({ waiting: [], isUnderWay: false, owners: new Set() });

/**
 * Gathers works while a round is under way, and gives all that are ready to the next one. Works that are alone take more than one round trip,
 * so they have rounds of their own, and the others don't wait for them; an owner is never in both at once. `round` settles each of its works
 * and never rejects.
 */
export const createCommitRounds = <Work extends RoundWork>(
  round: (works: readonly Waiting<Work>[]) => Promise<void>,
) => {
  const alone = emptyQueue<Work>();
  const beside = emptyQueue<Work>();
  let isStarting = false;

  /** Takes what may go into a round of a queue, while the other one's is under way. */
  const take = (queue: Queue<Work>, other: Queue<Work>): Waiting<Work>[] => {
    const taken: Waiting<Work>[] = [];
    const left: Waiting<Work>[] = [];
    for (const each of queue.waiting) {
      const mayGo = taken.length < ROUND_MAX && !other.owners.has(each.work.owner);
      (mayGo ? taken : left).push(each);
    }
    queue.waiting = left;
    return taken;
  };

  const start = (queue: Queue<Work>, other: Queue<Work>): void => {
    if (queue.isUnderWay) return;
    const works = take(queue, other);
    if (works.length === 0) return;
    queue.isUnderWay = true;
    queue.owners = new Set(works.map(({ work }) => work.owner));
    void round(works).then(() => {
      queue.isUnderWay = false;
      queue.owners = new Set();
      // The other one first: it may have waited for an owner of this round.
      start(other, queue);
      start(queue, other);
    });
  };

  const startBoth = (): void => {
    isStarting = false;
    start(alone, beside);
    start(beside, alone);
  };

  return (work: Work): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { waiting } = work.isAlone ? alone : beside;
      waiting.push({ work, resolve, reject });
      if (isStarting) return;
      isStarting = true;
      // Works that become ready in the same turn of the event loop are included.
      setImmediate(startBoth);
    });
};
