import type { ApprovalDecision } from '../../contracts/event.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import type { TaskView } from '../../contracts/turn-view.ts';

/** The name of a task's pending approval. Each approval costs a step, so the next one has another name (SPEC 4). */
export const approvalId = (taskId: string, stepCount: number): string => `approval-${taskId}-${stepCount}`;

/** The task of an approval by its name; null: no approval has such a name. */
export const taskOfApproval = (id: string): string | null =>
  /^approval-(task_[0-9a-z]{1,40})-\d+$/.exec(id)?.[1] ?? null;

/** The name of a task's question by a tool, which costs no step: `asked` counts them. */
export const toolQuestionId = (taskId: string, stepCount: number, asked: number): string =>
  `question-${taskId}-${stepCount}-${asked}`;

/** True for the name of a tool's question. */
export const asksForTool = (id: string): boolean => /^question-task_[0-9a-z]+-\d+-\d+$/.test(id);

/**
 * The name of what a task waits for; null: nothing. Each other question costs a step, so the next one has another name
 * (SPEC 4).
 */
export const questionId = ({
  id,
  step_count,
  awaiting_clarification,
  approval,
  tool_question,
}: Pick<TaskView, 'id' | 'step_count' | 'awaiting_clarification' | 'approval' | 'tool_question'>): string | null =>
  awaiting_clarification ? (approval?.id ?? tool_question?.id ?? `question-${id}-${step_count}`) : null;

/** True for the name of an approval. */
export const asksApproval = (id: string): boolean => id.startsWith('approval-');

/**
 * A decision in the words that a user could have written, for readers of the conversation, its progress and its log.
 */
export const approvalAnswer = (decision: ApprovalDecision, language: Language): string => {
  const { approved, approvedAlways, edited, rejected } = messages(language).questions;
  switch (decision.type) {
    case 'approve':
      return approved;
    case 'approve_always':
      return approvedAlways;
    case 'edit':
      return edited(decision.input);
    case 'reject':
      return decision.reason ?? rejected;
    default:
      return decision satisfies never;
  }
};
