import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';
import { type NextAction, ThoughtStatus } from '../contracts/thought.ts';
import { currentItem } from './current-item.ts';
import { cutText } from './cut-text.ts';
import { isSameQuestion } from './phrases.ts';

const numbered = (lines: string[]): string[] => lines.map((line, i) => `${i + 1}. ${line}`);

/** What a narrowed thought may say: with questions left, and without. */
const NARROWED: readonly ThoughtStatus[][] = [['ask_user', 'done'], ['done']];

/** True for a rejection that only repeats what the machine narrowed: it is no failure of the task. */
const isNarrowing = (reason: string, { language }: TaskContext): boolean => {
  const { statusNotAllowed } = messages(language).rejections;
  return ThoughtStatus.options.some((status) =>
    NARROWED.some((allowed) => reason === statusNotAllowed(status, allowed)),
  );
};

/**
 * The machine's own question when a narrowed thought was rejected too: what failed, or which limit was reached, and what to do
 * (SPEC 6). Never names the machine's own narrowing among the failures.
 */
export const failuresQuestion = (context: TaskContext): string => {
  const texts = messages(context.language).questions;
  const step = currentItem(context)?.step ?? context.goal;
  const { max_rounds_per_item } = context.limits;
  const failures = context.recent_failures.filter((reason) => !isNarrowing(reason, context));
  const inARow = context.consecutive_failures - (context.recent_failures.length - failures.length);
  return [
    ...(context.rounds > max_rounds_per_item ? [texts.afterRounds(step, max_rounds_per_item)] : []),
    ...(failures.length > 0 ? [texts.afterFailures(step, inARow), ...numbered(failures)] : []),
    texts.whatNext,
  ].join('\n');
};

/** The plan as a question, for `confirm_plan` (SPEC 3). */
export const planQuestion = ({ language, plan_items }: TaskContext): string =>
  messages(language).questions.confirmPlan(plan_items.length, numbered(plan_items.map(({ step }) => step)).join('\n'));

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

/** What the user was asked about an action that they rejected: the clarifications say that it did not run. */
export const rejectedQuestion = ({ language }: TaskContext, { tool, input }: NextAction): string =>
  messages(language).questions.didNotRun(tool, cutText(input, REJECTED_INPUT_CHARS_MAX));

/** What the user said when they were asked about this very action, and it did not run; undefined where they never were. */
export const rejectionOf = (
  context: TaskContext,
  action: NextAction,
): TaskContext['clarification_history'][number] | undefined =>
  context.clarification_history.findLast(({ question }) => question === rejectedQuestion(context, action));

/** The question in place of an approval that an edit of the plan withdrew; whatever is answered, replan comes next. */
export const editedPlanQuestion = ({ language }: TaskContext, { tool }: NextAction): string =>
  messages(language).questions.planEdited(tool);

/** Longest answer that can be an option's number, in characters: several times the longest. */
const NUMBER_CHARS_MAX = 16;

/** An option's number as people write it: `2`, `2.`, `(2)`, `２、`. */
const NUMBER = /^\(?(\d{1,2})[.)、。]?$/;

/**
 * What an answer means where a question has options (SPEC 5): the option of its text or of its number in the list, else the answer
 * itself. An option's own text comes before its number, so that the option `2` may be the third.
 */
export const chosenOption = (options: string[], answer: string): string => {
  const said = answer.trim();
  if (options.includes(said)) return said;
  const [, number] = said.length > NUMBER_CHARS_MAX ? [] : (NUMBER.exec(said.normalize('NFKC')) ?? []);
  const numbered = number === undefined ? undefined : options[Number(number) - 1];
  if (numbered !== undefined) return numbered;
  const alike = options.filter((option) => isSameQuestion(option, said));
  return alike.length === 1 ? alike[0]! : answer;
};
