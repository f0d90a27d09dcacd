import { waitsForConnections } from './connecting.ts';
import { createRoundRobin, type RoundRobin } from './round-robin.ts';
import { isTurnOf, msInTurn, TURN_MS } from './turn-time.ts';

/** Callers of one queue that are let on in one turn of the event loop: a few hundred microseconds of work each, and some milliseconds where the code runs for the first time. */
const CALLERS_A_TURN = 4;

/** Lets callers on a few in each turn of the event loop, however many there are at once: those of an owner in the order in which they came, and owners by turns. */
export interface LoopSlices {
  /** Resolves when it is the caller's turn; what it does at once from then on is its slice. */
  next(owner?: unknown): Promise<void>;
  /** Whether a caller of this owner waits. */
  has(owner: unknown): boolean;
}

/** Those that wait in one queue. */
interface Queue {
  /** They wait while connections come in. */
  waits: boolean;
  callers: RoundRobin<() => void>;
}

/** Queues in which somebody waits, the one that is served next first: all of a process share its turns of the event loop. */
let served: Queue[] = [];

let isServing = false;

/** Lets callers on in this turn of the event loop or the next, by turns from each queue, and goes on in the one after it. The queue that finds no time left is the first one then. */
const serve = (): void => {
  const mayGoOn = waitsForConnections() ? served.filter(({ waits }) => !waits) : served;
  const places = Array.from({ length: CALLERS_A_TURN }, (_, place) =>
    mayGoOn.filter(({ callers }) => callers.length > place),
  );
  let putOff: Queue | null = null;
  // Each in an immediate of its own, so that its slice ends before the next one starts.
  places.flat().forEach((queue, place) => {
    setImmediate(() => {
      // Asked for the first one, too, from which on the time counts.
      const ms = msInTurn();
      if (isTurnOf('slices') && (place === 0 || ms < TURN_MS)) queue.callers.shift()?.();
      else putOff ??= queue;
    });
  });
  setImmediate(() => {
    const first = putOff === null ? 0 : served.indexOf(putOff);
    served = [...served.slice(first), ...served.slice(0, first)].filter(({ callers }) => callers.length > 0);
    isServing = served.length > 0;
    if (isServing) serve();
  });
};

/** Makes an empty queue for slices; a few callers of each queue are let on in a turn of the event loop, as long as all queues together leave time in it. `waits`: none while connections come in. */
export const createLoopSlices = (waits = true): LoopSlices => {
  const queue: Queue = { waits, callers: createRoundRobin() };
  return {
    has: queue.callers.has,
    next: (owner = '') =>
      new Promise((resolve) => {
        queue.callers.push(owner, resolve);
        if (!served.includes(queue)) served.push(queue);
        if (isServing) return;
        isServing = true;
        setImmediate(serve);
      }),
  };
};

/**
 * Makes what does work that comes up at the same moment over turns of the event loop, where owners take turns: of the first `atOnce` calls in a turn at once, as long as they
 * are quick, and of all others a few in each later turn, in their order. A call may so go before one of a turn before that waits, but never before one of the same owner (a name or an object). `waits`: none of it is done while connections come in. Work never throws.
 */
export const createCrowdSlices = (atOnce: number, waits = true): ((work: () => void, owner?: unknown) => void) => {
  const slices = createLoopSlices(waits);
  let begun = 0;
  return (work, owner) => {
    if (begun === 0)
      setImmediate(() => {
        begun = 0;
      });
    begun += 1;
    const mayBegin = begun <= atOnce && msInTurn() < TURN_MS && !(waits && waitsForConnections());
    if (mayBegin && !(owner !== undefined && slices.has(owner))) work();
    else void slices.next(owner).then(work);
  };
};
