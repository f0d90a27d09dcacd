import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';
import { ThoughtStatus } from '../contracts/thought.ts';
import { currentItem } from './current-item.ts';

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
