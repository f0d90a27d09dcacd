import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRoundRobin, type RoundRobin } from './round-robin.ts';

/** Callers of one queue that are let on in one turn of the event loop: a few hundred microseconds of work each, and some milliseconds where the code runs for the first time. */
const CALLERS_A_TURN = 4;

/** Time in one turn of the event loop after which no second caller is let on in it, whatever its queue, in milliseconds: four heavy requests at once would each be short enough, and all of them too long. */
const TURN_MS = 10;

let turnBegan: number | null = null;

/** Milliseconds since this turn of the event loop first asked. */
const msInTurn = (): number => {
  if (turnBegan === null) {
    turnBegan = performance.now();
    setImmediate(() => {
      turnBegan = null;
    });
  }
  return performance.now() - turnBegan;
};

/** Longest that other work waits while connections come in, in milliseconds; then it has as long, or one slice that may take longer. */
const CONNECTING_MS = 10;

/** Since when connections have come in; null where none came in this turn of the event loop or the one before. */
let connectingSince: number | null = null;

let noneCame: NodeJS.Immediate | undefined;

/** Other work has gone on since then. */
let hasWorked = false;

/**
 * A connection came in. Node takes one in each turn of the event loop, so what is done in slices waits until no more come: a thousand that come at once would
 * each wait for as many slices otherwise.
 */
export const connectionCame = (): void => {
  connectingSince ??= performance.now();
  clearImmediate(noneCame);
  noneCame = setImmediate(() => {
    noneCame = setImmediate(() => {
      connectingSince = null;
    });
  });
};

/** Connections come in, and work is to wait for them. */
const isHeld = (): boolean => {
  if (connectingSince === null) return false;
  const ms = performance.now() - connectingSince;
  if (hasWorked && ms >= 2 * CONNECTING_MS) {
    connectingSince = performance.now();
    hasWorked = false;
    return true;
  }
  hasWorked = ms >= CONNECTING_MS;
  return !hasWorked;
};

/** What `inNextTurn` is to do, first come first. */
const waitingWork: (() => void)[] = [];

/** When the first of it began in this turn of the event loop; null: none did. */
let workBegan: number | null = null;

/** Does the first of it, in this turn or where that is long already in the next one. */
const doFirst = (): void => {
  const now = performance.now();
  if (isHeld() || (workBegan !== null && now - workBegan >= TURN_MS)) {
    setImmediate(doFirst);
    return;
  }
  if (workBegan === null) {
    workBegan = now;
    setImmediate(() => {
      workBegan = null;
    });
  }
  waitingWork.shift()!();
};

/**
 * Does work in the next turn of the event loop, or in a later one while connections come in, or where other such work has taken long in it: a commit and the sessions that
 * go on may take 20 ms each.
 */
export const inNextTurn = (work: () => void): void => {
  waitingWork.push(work);
  setImmediate(doFirst);
};

/** Lets callers on a few in each turn of the event loop, however many there are at once: those of an owner in the order in which they came, and owners by turns. */
export interface LoopSlices {
  /** Resolves when it is the caller's turn; what it does at once from then on is its slice. */
  next(owner?: string): Promise<void>;
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
  const mayGoOn = isHeld() ? served.filter(({ waits }) => !waits) : served;
  const places = Array.from({ length: CALLERS_A_TURN }, (_, place) =>
    mayGoOn.filter(({ callers }) => callers.length > place),
  );
  let putOff: Queue | null = null;
  // Each in an immediate of its own, so that its slice ends before the next one starts.
  places.flat().forEach((queue, place) => {
    setImmediate(() => {
      // Asked for the first one, too, from which on the time counts.
      const ms = msInTurn();
      if (place === 0 || ms < TURN_MS) queue.callers.shift()?.();
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
 * Makes what does work that comes up at the same moment over turns of the event loop, in its order, where owners take turns: of the first `atOnce` calls in a turn at once, as long as they
 * are quick, and of all others a few in each later turn. `waits`: none of it is done while connections come in. Work never throws.
 */
export const createCrowdSlices = (atOnce: number, waits = true): ((work: () => void, owner?: string) => void) => {
  const slices = createLoopSlices(waits);
  let begun = 0;
  return (work, owner) => {
    if (begun === 0)
      setImmediate(() => {
        begun = 0;
      });
    begun += 1;
    if (begun <= atOnce && msInTurn() < TURN_MS && !(waits && isHeld())) work();
    else void slices.next(owner).then(work);
  };
};

/** The owner for whom a model is asked: for what the libraries in between call without saying for whom. */
export const askingOwner = new AsyncLocalStorage<string>();

let lastInTurn: Promise<unknown> = Promise.resolve();

/**
 * Does a piece of what is done once in a process, such as loading a module, in a turn of the event loop in which no other such piece begins: each may
 * take 20 to 40 ms, and two in one turn would hold it too long. Rejects as `work` does. Work must end, and must not wait for another piece.
 */
export const inOwnTurn = <Done>(work: () => Done | Promise<Done>): Promise<Done> => {
  // A first immediate still comes in the turn in which the piece before it ended: its file may have been read in that turn.
  const done = lastInTurn
    .then(() => nextTurn())
    .then(() => nextTurn())
    .then(work);
  lastInTurn = done.catch(() => {});
  return done;
};
