import { currentItem } from '../../machines/current-item.ts';
import { askNothing } from '../owner-data/port.ts';
import { itemCounts } from '../projections/item-counts.ts';
import { phaseOf } from '../projections/task-view.ts';
import type { Command, CommandCall } from './port.ts';

const showStatus = ({ task, queued, language }: CommandCall): string => {
  const isChinese = language === 'zh';
  if (task === null) return isChinese ? '本会话还没有任务。' : 'This session has had no task yet.';
  const { state, context } = task;
  const { done, total } = itemCounts(context);
  const item = currentItem(context);
  const isAsking = state === 'awaiting_user';
  const lines = isChinese
    ? [
        `任务 ${context.task_id}：${context.goal}`,
        `状态 ${state}（${phaseOf(task)}），完成 ${done}/${total} 项，已用 ${context.step_count}/${context.step_limit} 步`,
        ...(item === null ? [] : [`当前步骤：${item.step}`]),
        ...(isAsking ? [`等待回答：${context.last_ask_user_question}`] : []),
        ...(context.pause_reason === null ? [] : [`暂停原因：${context.pause_reason}`]),
        ...(queued === 0 ? [] : [`排队的输入：${queued}`]),
      ]
    : [
        `Task ${context.task_id}: ${context.goal}`,
        `${state} (${phaseOf(task)}), ${done} of ${total} items done, ${context.step_count} of ${context.step_limit} steps used`,
        ...(item === null ? [] : [`Current item: ${item.step}`]),
        ...(isAsking ? [`Waits for an answer: ${context.last_ask_user_question}`] : []),
        ...(context.pause_reason === null ? [] : [`Paused: ${context.pause_reason}`]),
        ...(queued === 0 ? [] : [`Inputs in the queue: ${queued}`]),
      ];
  return lines.join('\n');
};

/** `/status`: where the session's task stands; changes nothing. */
export const statusCommand: Command = {
  name: 'status',
  summary: 'where the task of this session stands',
  usage: '/status',
  run: (_, call) => askNothing(() => showStatus(call)),
};
