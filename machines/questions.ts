import type { TaskContext } from '../contracts/task.ts';
import { currentItem } from './current-item.ts';

const listed = (lines: string[]): string => lines.map((line, i) => `${i + 1}. ${line}`).join('\n');

/** The machine's own question when a narrowed thought was rejected too: what failed, and what to do (SPEC 6). */
export const failuresQuestion = (context: TaskContext): string => {
  const step = currentItem(context)?.step ?? context.goal;
  const failures = listed(context.recent_failures);
  return context.language === 'zh'
    ? `步骤「${step}」连续失败 ${context.consecutive_failures} 次：\n${failures}\n接下来该怎么做？`
    : `The step "${step}" failed ${context.consecutive_failures} times in a row:\n${failures}\nWhat should I do?`;
};

/** The plan as a question, for `confirm_plan` (SPEC 3). */
export const planQuestion = (context: TaskContext): string => {
  const plan = listed(context.plan_items.map((item) => item.step));
  return context.language === 'zh'
    ? `计划如下，共 ${context.plan_items.length} 项：\n${plan}\n可以开始吗？（是 / 否，或说明要改什么）`
    : `This is the plan, ${context.plan_items.length} items:\n${plan}\nShall I go on? (yes, no, or say what to change)`;
};
