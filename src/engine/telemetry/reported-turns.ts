import type { ReportedTurn } from '../../telemetry/port.ts';
import type { Decision } from '../change.ts';
import { turnsOf } from '../turn-views.ts';

const NONE: readonly ReportedTurn[] = [];

/** The turns that a decision added or finished, with the trace that each came with. Most decisions have none. */
export const reportedTurns = (decision: Decision): readonly ReportedTurn[] => {
  const turns = turnsOf(decision);
  if (turns.length === 0) return NONE;
  const callers = new Map(
    decision.changes.flatMap((change) =>
      change.type === 'turn.added' ? [[change.turn.turn_id, change.turn.traceparent] as const] : [],
    ),
  );
  return turns.map((turn) => ({ turn, traceparent: callers.get(turn.id) }));
};
