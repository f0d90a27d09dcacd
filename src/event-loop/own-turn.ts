import { setImmediate as nextTurn } from 'node:timers/promises';

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
