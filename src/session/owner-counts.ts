import type { Decision } from './change.ts';
import { type SessionImage, toolTurns } from './image.ts';

/** Counts of what is stored of an owner. */
export interface OwnerCounts {
  readonly sessions: number;
  readonly running_tasks: number;
  /** Callbacks to be posted, and unfinished turns that will have one. */
  readonly pending_callbacks: number;
  readonly unfinished_turns: number;
  /** Those that wait until their session is free. */
  readonly queued_turns: number;
  readonly tool_runs: number;
}

/** A count that has a limit an owner (SPEC 11). */
export type LimitedCount = Exclude<keyof OwnerCounts, 'queued_turns'>;

/** How many more a decision makes of each count that has a limit; fewer are negative. It removes no session. */
export const countsAdded = (before: SessionImage, { image, changes }: Decision): Record<LimitedCount, number> => ({
  sessions: Number(image.isStored) - Number(before.isStored),
  running_tasks: Number(image.open !== null) - Number(before.open !== null),
  pending_callbacks: changes.filter((change) => change.type === 'turn.added' && change.turn.callback_url !== undefined)
    .length,
  unfinished_turns: image.turns.length - before.turns.length,
  tool_runs: toolTurns(image).length - toolTurns(before).length,
});
