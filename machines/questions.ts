import { type NextAction, ThoughtStatus } from '../contracts/answer.ts';
import type { ApprovalDecision, EventOf } from '../contracts/event.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import { isSameQuestion, phraseGrammar, spoken, YES } from './phrases.ts';
import { currentItem, isOpen } from './plan-items.ts';

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
  const step = currentItem(context)?.step ?? context.goal;
  const { max_rounds_per_item } = context.limits;
  const failures = context.recent_failures.filter((reason) => !isNarrowing(reason, context));
  const shown = new Set(failures.map((failure) => failureForUser(failure, context)));
  const inARow = context.consecutive_failures - (context.recent_failures.length - failures.length);
  return [
    ...(context.rounds > max_rounds_per_item ? [texts.afterRounds(step, max_rounds_per_item)] : []),
    ...(failures.length > 0 ? [texts.afterFailures(step, inARow), ...numbered([...shown]), ''] : []),
    texts.whatNext,
  ].join('\n');
};

/** The rest of the plan as a question, for `confirm_plan` (SPEC 3). */
export const planQuestion = ({ language, plan_items }: TaskContext): string => {
  const steps = plan_items.filter(isOpen).map(({ step }) => step);
  return messages(language).questions.confirmPlan(steps.length, numbered(steps).join('\n'));
};

/** Longest tool input in what the task remembers of a rejected action, in characters: enough to know it by, in every prompt after it. */
const REJECTED_INPUT_CHARS_MAX = 1_000;

/** The tool and its whole input as a question, with what the user may choose from (SPEC 3, approval). */
export const approvalQuestion = (
  { language }: TaskContext,
  { tool, input }: NextAction,
): { question: string; options: string[] } => {
  const { mayRun, approved, rejected, approvedAlways } = messages(language).questions;
  return { question: mayRun(tool, input), options: [approved, rejected, approvedAlways] };
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

/** The question in place of an approval that an edit of the plan withdrew; whatever is answered, replan comes next. */
export const editedPlanQuestion = ({ language }: TaskContext, { tool }: NextAction): string =>
  messages(language).questions.planEdited(tool);

/** An option's number as people write it: `2`, `2.`, `(2)`, `２、`. */
const NUMBER = /^\(?(\d{1,2})[.)、。]?$/;

/** The meaning of an answer where a question has options (SPEC 5): the option of its text, else of its number in the list, else the answer. */
export const chosenOption = (options: string[], answer: string): string => {
  const said = answer.trim();
  if (options.includes(said)) return said;
  const [, number] = NUMBER.exec(said.normalize('NFKC')) ?? [];
  const numbered = number === undefined ? undefined : options[Number(number) - 1];
  if (numbered !== undefined) return numbered;
  const alike = options.filter((option) => isSameQuestion(option, said));
  return alike.length === 1 ? alike[0]! : answer;
};

/** True for a tool that may run only after a person's yes, where the task has no lasting one for it (SPEC 3, approval). */
export const needsApproval = ({ catalogue, approved_tools }: TaskContext, tool: string): boolean =>
  !approved_tools.includes(tool) && catalogue.tools.some(({ name, approval }) => name === tool && approval === true);

/** The action that waits for a person's yes; null where none does. */
export const pendingAction = ({ awaiting, last_thought_snapshot }: TaskContext): NextAction | null =>
  awaiting === 'approval' ? (last_thought_snapshot?.next_action ?? null) : null;

/** An answer by words as a decision about the pending action: any answer that is no whole yes is a rejection with these words as its reason. */
const decisionByWords = ({ question_options }: TaskContext, text: string): ApprovalDecision => {
  const said = chosenOption(question_options, text);
  if (isLastingApproval(said)) return { type: 'approve_always' };
  return isApproval(said) ? { type: 'approve' } : { type: 'reject', reason: said };
};

/** The user's decision about the pending action, by words or otherwise. */
export const decisionOf = (
  context: TaskContext,
  event: EventOf<'answer.received'> | EventOf<'decision.received'>,
): ApprovalDecision => (event.type === 'decision.received' ? event.decision : decisionByWords(context, event.text));

const APPROVE = [
  ...YES,
  ..."yep|yeah|approve|approved|approve it|allow|allowed|allow it|allow this|accept|permit|run|run it|go|go for it|that is fine|that's fine|fine".split(
    '|',
  ),
  ...'批准|允许|准许|运行|通过|可以的|行的|对的|没问题的|做|去做'.split('|'),
];

const ALWAYS = [...'always|yes to all'.split('|'), ...'总是|始终|一直|以后都|每次都|一律'.split('|')];

/** Words that make a yes last, and that alone may as well be a no. */
const ASK_NO_MORE = [
  ..."don't ask again|and don't ask again|do not ask again|and do not ask again".split('|'),
  ...'不用再问|不用再问了|别再问|别再问了|不要再问|不要再问了|不再询问|以后不用再问|以后别再问'.split('|'),
];

const FILLERS = [
  ...'please|just|now|then|it|this|thanks|thank you|with it'.split('|'),
  ...'请|麻烦|那|那就|就|吧|啊|呀|的|一下|它|谢谢'.split('|'),
];

const approves = phraseGrammar(APPROVE, FILLERS);
const approvesForTask = phraseGrammar(
  [...ALWAYS, ...APPROVE.flatMap((yes) => ASK_NO_MORE.map((more) => `${yes} ${more}`))],
  [...FILLERS, ...APPROVE],
);

/** True for a question back, which is never a yes. */
const isQuestion = (text: string): boolean => /[?？]/.test(text);

/** True for a whole answer that lets the pending action run (SPEC 3, approval); never for a part of one. */
export const isApproval = (text: string): boolean => !isQuestion(text) && approves(spoken(text));

/** True for a whole answer that lets it run, and the same tool for the rest of the task. */
export const isLastingApproval = (text: string): boolean => !isQuestion(text) && approvesForTask(spoken(text));
