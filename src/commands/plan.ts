import type { PlanItem } from '../../contracts/plan.ts';
import { allItems, itemCounts } from '../projections/item-counts.ts';
import { planMark } from '../projections/plan-mark.ts';
import type { Command } from './port.ts';

const line = (item: PlanItem, number: number): string => {
  const waits = item.depends_on.length > 0 ? ` (after ${item.depends_on.join(', ')})` : '';
  return `${number}. ${planMark(item.status)} ${item.step}${waits}`;
};

/** `/plan`: the plan of the session's task with its marks; looks only. Its changing forms are task inputs (SPEC 2). */
export const planCommand: Command = {
  name: 'plan',
  summary: 'the plan of the task of this session',
  usage: '/plan [show]',
  run: (_, { task, language }) => {
    if (task === null) return language === 'zh' ? '本会话还没有任务。' : 'This session has had no task yet.';
    const { plan_items } = task.context;
    const { done, total } = itemCounts(task.context);
    const title =
      language === 'zh'
        ? `计划：${task.context.goal}（完成 ${done}/${total} 项）`
        : `Plan: ${task.context.goal} (${done} of ${total} done)`;
    const earlier = allItems(task.context).filter((item) => !plan_items.some(({ id }) => id === item.id));
    const past = earlier.map((item) => `-  ${planMark(item.status)} ${item.step}`);
    return [title, ...past, ...plan_items.map((item, i) => line(item, i + 1))].join('\n');
  },
};
