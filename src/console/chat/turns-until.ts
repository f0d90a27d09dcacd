import type { TurnView } from '../../../contracts/turn-view.ts';

/** The turns as they stood at a time, in epoch milliseconds: those that had come, without the replies that had not. Null: as they are. */
export const turnsUntil = (turns: readonly TurnView[], until: number | null): readonly TurnView[] => {
  if (until === null) return turns;
  return turns
    .filter(({ created_at }) => Date.parse(created_at) <= until)
    .map((turn): TurnView => {
      const isOpen = turn.finished_at === null || Date.parse(turn.finished_at) > until;
      return isOpen ? { ...turn, status: 'running', output: null, finished_at: null } : turn;
    });
};
