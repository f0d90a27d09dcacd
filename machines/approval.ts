import type { ApprovalDecision } from '../contracts/approval.ts';
import type { EventOf } from '../contracts/event.ts';
import type { TaskContext } from '../contracts/task.ts';
import type { NextAction } from '../contracts/thought.ts';
import { isApproval, isLastingApproval } from './approval-phrases.ts';
import { chosenOption } from './chosen-option.ts';

/** True for a tool that may run only after a person's yes, where the task has no lasting one for it (SPEC 3, approval). */
export const needsApproval = ({ catalogue, approved_tools }: TaskContext, tool: string): boolean =>
  !approved_tools.includes(tool) && catalogue.tools.some(({ name, approval }) => name === tool && approval === true);

/** The action that waits for a person's yes; null where none does. */
export const pendingAction = ({ awaiting, last_thought_snapshot }: TaskContext): NextAction | null =>
  awaiting === 'approval' ? (last_thought_snapshot?.next_action ?? null) : null;

/** What an answer by words decides about the pending action: whatever is no whole yes is a rejection with these words as its reason. */
const decisionByWords = ({ question_options }: TaskContext, text: string): ApprovalDecision => {
  const said = chosenOption(question_options, text);
  if (isLastingApproval(said)) return { type: 'approve_always' };
  return isApproval(said) ? { type: 'approve' } : { type: 'reject', reason: said };
};

/** What the user decided about the pending action, by words or otherwise. */
export const decisionOf = (
  context: TaskContext,
  event: EventOf<'answer.received'> | EventOf<'decision.received'>,
): ApprovalDecision => (event.type === 'decision.received' ? event.decision : decisionByWords(context, event.text));
