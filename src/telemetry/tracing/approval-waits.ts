import type { Attributes } from '@opentelemetry/api';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { pendingAction } from '../../../machines/approvals.ts';
import { decisionOf } from '../../../machines/questions.ts';
import type { CommitReport } from '../port.ts';

/** Tasks that wait for a decision whose start is kept. A wait that is forgotten has no duration. */
const WAITS_KEPT = 4_096;

/**
 * Measures how long tasks wait for a decision on an action. A wait that began before this process has no duration. Never
 * says who decided.
 */
export const createApprovalWaits = (now: () => number) => {
  const asked = new Map<string, number>();
  return {
    /** Notes a turn that ends with an approval to be given. */
    noted: ({ task_id, finished_at, approval }: TurnView): void => {
      if (task_id === null || finished_at === null || (approval ?? null) === null || asked.has(task_id)) return;
      asked.set(task_id, now());
      const [oldest = ''] = asked.keys();
      if (asked.size > WAITS_KEPT) asked.delete(oldest);
    },
    /** The attributes of the turn that brought this decision, by words or otherwise; null for another event. */
    decided: ({ event, before }: CommitReport['steps'][number]): Attributes | null => {
      if (before === null || pendingAction(before.context) === null) return null;
      if (event.type !== 'decision.received' && event.type !== 'answer.received') return null;
      const { task_id } = before.context;
      const since = asked.get(task_id);
      asked.delete(task_id);
      return {
        'tripact.approval.verdict': decisionOf(before.context, event).type,
        ...(since !== undefined && { 'tripact.approval.wait': (now() - since) / 1_000 }),
      };
    },
  };
};
