import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';
import { currentItem } from './current-item.ts';

const numbered = (lines: string[]): string => lines.map((line, i) => `${i + 1}. ${line}`).join('\n');

/** The machine's own question when a narrowed thought was rejected too: what failed, and what to do (SPEC 6). */
export const failuresQuestion = (context: TaskContext): string =>
  messages(context.language).questions.afterFailures(
    currentItem(context)?.step ?? context.goal,
    context.consecutive_failures,
    numbered(context.recent_failures),
  );

/** The plan as a question, for `confirm_plan` (SPEC 3). */
export const planQuestion = ({ language, plan_items }: TaskContext): string =>
  messages(language).questions.confirmPlan(plan_items.length, numbered(plan_items.map(({ step }) => step)));
