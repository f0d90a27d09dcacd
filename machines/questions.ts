import { type NextAction, type StoredThought, ThoughtStatus } from '../contracts/answer.ts';
import type { ApprovalDecision, EventOf } from '../contracts/event.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import { approvalReason, approversOf } from './approvals.ts';
import { chosenOption } from './options.ts';
import { isLastingYes, isYes } from './phrases.ts';
import { allowedTools, currentItem, isOpen } from './plan-items.ts';

const numbered = (lines: string[]): string[] => lines.map((line, i) => `${i + 1}. ${line}`);

/** The statuses that a narrowed thought may have: with questions left, and without. */
const NARROWED: readonly ThoughtStatus[][] = [['ask_user', 'done'], ['done']];

/** True for a rejection that only repeats what the machine narrowed: it is no failure of the task. */
const isNarrowing = (reason: string, { language }: TaskContext): boolean => {
  const { statusNotAllowed } = messages(language).rejections;
  return ThoughtStatus.options.some((status) =>
    NARROWED.some((allowed) => reason === statusNotAllowed(status, allowed)),
  );
};

/** A failure in words for the user: a tool's own; of an answer that the task could not use only that it was so. */
const failureForUser = (failure: string, { language, catalogue }: TaskContext): string => {
  const { taskNotes, progress } = messages(language);
  const isTools = catalogue.tools.some(({ name }) => failure.startsWith(taskNotes.failedAction(name, '')));
  return isTools ? failure : progress.unusable;
};

/** The machine's own question when a narrowed thought was rejected too (SPEC 6): what failed, or which limit was reached. */
export const failuresQuestion = (context: TaskContext): string => {
  const texts = messages(context.language).questions;
  const item = currentItem(context);
  const step = item?.step ?? context.goal;
  const { max_rounds_per_item } = context.limits;
  const failures = context.recent_failures.filter((reason) => !isNarrowing(reason, context));
  const shown = new Set(failures.map((failure) => failureForUser(failure, context)));
  const inARow = context.consecutive_failures - (context.recent_failures.length - failures.length);
  const reasons = [
    ...(context.rounds > max_rounds_per_item ? [texts.afterRounds(step, max_rounds_per_item)] : []),
    ...(item !== null && allowedTools(context).length === 0 ? [texts.withoutTool(step, item.tools ?? [])] : []),
    ...(failures.length > 0 ? [texts.afterFailures(step, inARow), ...numbered([...shown]), ''] : []),
  ];
  if (reasons.length === 0) reasons.push(texts.afterUnusable(step, context.consecutive_failures));
  return [...reasons, texts.whatNext].join('\n');
};

/** The rest of the plan as a question, for `confirm_plan` (SPEC 3). */
export const planQuestion = ({ language, plan_items }: TaskContext): string => {
  const steps = plan_items.filter(isOpen).map(({ step }) => step);
  return messages(language).questions.confirmPlan(steps.length, numbered(steps).join('\n'));
};

/** Longest tool input in what the task remembers of a rejected action, in characters: enough to know it by, in every prompt after it. */
const REJECTED_INPUT_CHARS_MAX = 1_000;

/**
 * The tool and its whole input as a question, with the user's choices (SPEC 3, approval), after the policy's summary
 * and the reason.
 */
export const approvalQuestion = (
  context: TaskContext,
  thought: Pick<StoredThought, 'next_action' | 'approval'>,
): { question: string; options: string[] } => {
  if (thought.next_action === null) throw new Error('the last thought wants no action');
  const { tool, input } = thought.next_action;
  const { mayRun, decidedBy, approved, rejected, approvedAlways } = messages(context.language).questions;
  const { approvers } = approversOf(context, tool);
  const said = [
    thought.approval?.summary,
    approvalReason(context, thought),
    mayRun(tool, input),
    approvers && decidedBy(approvers.join(', ')),
  ];
  return {
    question: said.filter((text) => text !== undefined).join('\n\n'),
    options: [approved, rejected, approvedAlways],
  };
};

/** The question about an action that the user rejected: the clarifications say that it did not run. */
export const rejectedQuestion = ({ language }: TaskContext, { tool, input }: NextAction): string =>
  messages(language).questions.didNotRun(tool, cutText(input, REJECTED_INPUT_CHARS_MAX));

/** The user's answer about this very action, where it did not run; undefined where they were never asked. */
export const rejectionOf = (
  context: TaskContext,
  action: NextAction,
): TaskContext['clarification_history'][number] | undefined =>
  context.clarification_history.findLast(({ question }) => question === rejectedQuestion(context, action));

/** The question in place of an approval that an edit of the plan withdrew. Replan comes next after any answer. */
export const editedPlanQuestion = ({ language, tool_question }: TaskContext, { tool }: NextAction): string =>
  messages(language).questions[tool_question === null ? 'planEdited' : 'callGivenUp'](tool);

/** An answer by words as a decision about the pending action: any answer that is no whole yes is a rejection with these words as its reason. */
const decisionByWords = ({ question_options }: TaskContext, text: string): ApprovalDecision => {
  const said = chosenOption(question_options, text);
  if (isLastingYes(said)) return { type: 'approve_always' };
  return isYes(said) ? { type: 'approve' } : { type: 'reject', reason: said };
};

/** The user's decision about the pending action, by words or otherwise. */
export const decisionOf = (
  context: TaskContext,
  event: EventOf<'answer.received'> | EventOf<'decision.received'>,
): ApprovalDecision => (event.type === 'decision.received' ? event.decision : decisionByWords(context, event.text));
