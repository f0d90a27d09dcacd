import type { PlanItem } from '../../contracts/plan.ts';
import { earlierItems, itemCounts } from '../projections/item-counts.ts';
import { planMark } from '../projections/plan-mark.ts';
import { planningUsage } from '../tools/planning/read-input.ts';
import type { TransactionalTool } from '../tools/port.ts';
import type { Command, CommandCall } from './port.ts';

const line = (item: PlanItem, number: number): string => {
  const waits = item.depends_on.length > 0 ? ` (after ${item.depends_on.join(', ')})` : '';
  return `${number}. ${planMark(item.status)} ${item.step}${waits}`;
};

const showTaskPlan = ({ task, language }: CommandCall): string => {
  if (task === null) return language === 'zh' ? '本会话还没有任务。' : 'This session has had no task yet.';
  const { plan_items } = task.context;
  const { done, total } = itemCounts(task.context);
  const title =
    language === 'zh'
      ? `计划：${task.context.goal}（完成 ${done}/${total} 项）`
      : `Plan: ${task.context.goal} (${done} of ${total} done)`;
  const past = earlierItems(task.context).map((item) => `-  ${planMark(item.status)} ${item.step}`);
  return [title, ...past, ...plan_items.map((item, i) => line(item, i + 1))].join('\n');
};

/**
 * Makes `/plan`: alone, or as `/plan show`, it shows the plan of the session's task; every other form is about named plans, by
 * the code of the planning tool (SPEC 8). The forms that change the task's plan are task inputs and never come here (SPEC 2).
 */
export const createPlanCommand = (planning: TransactionalTool): Command => ({
  name: 'plan',
  summary: 'the plan of the task of this session, and the plans that it keeps under names',
  usage: `/plan [show]\n${Object.values(planningUsage).join('\n')}`,
  *run(rest, call) {
    if (/^(show)?$/i.test(rest.trim())) return showTaskPlan(call);
    return (yield* planning.run(`/plan ${rest}`, call)).result;
  },
});
