import { setTimeout } from 'node:timers';

/** Time in one turn of the event loop after which no second caller is let on in it, whatever its queue, in milliseconds: four heavy requests at once would each be short enough, and all of them too long. */
export const TURN_MS = 10;

/** What shares the turns of the event loop: callers in slices, and work that was asked for in the next turn. */
type Kind = 'slices' | 'work';

let turnBegan: number | null = null;

/** The kind that was put off in the turn before, and goes first in this one. */
let first: Kind | null = null;

/** The kind that began last in this turn. */
let begun: Kind | null = null;

/** The kind that was put off in this turn. */
let putOff: Kind | null = null;

/** Milliseconds since this turn of the event loop first asked. */
export const msInTurn = (): number => {
  if (turnBegan === null) {
    turnBegan = performance.now();
    // Timers come between two turns, and immediates in the middle of one: what was asked before the immediates counts with them.
    setTimeout(() => {
      turnBegan = null;
      first = putOff;
      begun = null;
      putOff = null;
    }, 0);
  }
  return performance.now() - turnBegan;
};

/**
 * Whether a kind of work may go on in this turn of the event loop. One kind goes on in a turn that the other one has filled, for each may take 30 ms, only in the next turn, where it goes first: so neither waits for all of the other.
 */
export const isTurnOf = (kind: Kind): boolean => {
  const ms = msInTurn();
  const waits = first === kind || begun === kind ? false : ms >= TURN_MS || (first !== null && begun !== first);
  if (waits) putOff = kind;
  else begun = kind;
  return !waits;
};
