import type { TraceEntry } from '../../contracts/trace.ts';
import { isSettled } from '../../machines/is-settled.ts';

/** The position of an entry relative to a turn: before, beside or behind it, in it, or the one that ends it. */
export type TurnPlace = 'outside' | 'inside' | 'last';

/** True for the entry by which the turn's input went into its task. */
export const beginsTurn = ({ event }: TraceEntry, turnId: string): boolean =>
  'turn_id' in event && event.turn_id === turnId;

/**
 * Finds a turn in its session's entries, shown in the order of `seq`: from the entry that names it to the first one after
 * which its task settles. A turn that went into no task has none.
 */
export const createTurnSpan = (turnId: string): ((entry: TraceEntry) => TurnPlace) => {
  let taskId: string | null = null;
  let isOver = false;
  return (entry) => {
    if (taskId === null && beginsTurn(entry, turnId)) taskId = entry.task_id;
    if (isOver || taskId === null || entry.task_id !== taskId || entry.state === null) return 'outside';
    isOver = isSettled(entry.state);
    return isOver ? 'last' : 'inside';
  };
};
