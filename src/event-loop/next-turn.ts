import { waitsForConnections } from './connecting.ts';
import { isTurnOf, TURN_MS } from './turn-time.ts';

/** What `inNextTurn` is to do, first come first. */
const waitingWork: (() => void)[] = [];

/** When the first of it began in this turn of the event loop; null: none did. */
let workBegan: number | null = null;

/** Does the first of it, in this turn or where that is long already in the next one. */
const doFirst = (): void => {
  const now = performance.now();
  if (waitsForConnections() || (workBegan !== null && now - workBegan >= TURN_MS) || !isTurnOf('work')) {
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
