import { messages } from '../../contracts/messages/messages.ts';
import { currentItem } from '../../machines/plan-items.ts';
import { itemCounts } from '../projections/items.ts';
import { phaseOf, taskView } from '../projections/task-view.ts';
import { askNothing } from '../store/questions.ts';
import type { Command, CommandCall } from './port.ts';

const showStatus = ({ task, queued, language }: CommandCall): string => {
  const { commands: texts, progress } = messages(language);
  if (task === null) return texts.noTaskYet;
  const { state, context } = task;
  const { done, total } = itemCounts(context);
  const phase = phaseOf(task);
  const item = phase === 'done' ? null : currentItem(context);
  const { cost } = taskView(task);
  const { task_id, goal, step_count, step_limit, last_ask_user_question, pause_reason } = context;
  return [
    texts.task(task_id, goal),
    texts.status(state, phase, done, total, step_count, step_limit),
    ...(item === null ? [] : [texts.currentItem(item.step)]),
    ...(state === 'awaiting_user' ? [texts.waitsForAnswer(last_ask_user_question ?? '')] : []),
    ...(pause_reason === null ? [] : [texts.paused(progress.pause[pause_reason])]),
    ...(cost === undefined ? [] : [texts.cost(cost.amount, cost.currency)]),
    ...(queued === 0 ? [] : [texts.queued(queued)]),
  ].join('\n');
};

/** `/status`: the state of the session's task; changes nothing. */
export const statusCommand: Command = {
  name: 'status',
  help: (language) => ({ summary: messages(language).commands.summaries.status, usage: '/status' }),
  run: (_, call) => askNothing(() => ({ ok: true, result: showStatus(call) })),
};
