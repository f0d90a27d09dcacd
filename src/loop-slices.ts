import { setImmediate as nextTurn } from 'node:timers/promises';

/** Callers that are let on in one turn of the event loop: a few hundred microseconds of work each, and some milliseconds where the code runs for the first time, stay far below 50 ms. */
const CALLERS_A_TURN = 4;

/** Time in one turn of the event loop after which a queue lets no second caller on in it, in milliseconds: four heavy requests at once would each be short enough, and all of them too long. */
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

/** Lets callers on in the order in which they came, a few in each turn of the event loop, however many there are at once. */
export interface LoopSlices {
  /** Resolves when it is the caller's turn; what it does at once from then on is its slice. */
  next(): Promise<void>;
}

/** Makes an empty queue for slices; everything that shares one is bounded together. */
export const createLoopSlices = (): LoopSlices => {
  let waiting: (() => void)[] = [];
  let isServing = false;

  const serve = (): void => {
    const now = waiting.slice(0, CALLERS_A_TURN);
    waiting = waiting.slice(CALLERS_A_TURN);
    const putOff: (() => void)[] = [];
    // Each in an immediate of its own, so that its slice ends before the next one starts.
    now.forEach((begin, place) => {
      setImmediate(() => {
        if (msInTurn() < TURN_MS || place === 0) begin();
        else putOff.push(begin);
      });
    });
    isServing = now.length > 0;
    if (isServing)
      setImmediate(() => {
        waiting = [...putOff, ...waiting];
        serve();
      });
  };

  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (isServing) return;
        isServing = true;
        setImmediate(serve);
      }),
  };
};

/**
 * Makes what does work that comes up at the same moment over turns of the event loop, in its order: of the first `atOnce` calls in a turn at once, as long as they are quick, and of all
 * others a few in each later turn. Work never throws.
 */
export const createCrowdSlices = (atOnce: number): ((work: () => void) => void) => {
  const slices = createLoopSlices();
  let begun = 0;
  return (work) => {
    if (begun === 0)
      setImmediate(() => {
        begun = 0;
      });
    begun += 1;
    if (begun <= atOnce && msInTurn() < TURN_MS) work();
    else void slices.next().then(work);
  };
};

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
