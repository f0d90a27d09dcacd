import type { PlanItem, ThoughtAnswer } from '../../../contracts/answer.ts';
import { QUESTION_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages as catalogue } from '../../../contracts/messages/messages.ts';
import { cutText } from '../../../contracts/text.ts';
import type { ModelRequest } from '../port.ts';
import { workOn } from './carry-out.ts';
import { type Outcome, progressOf, type WorkContext } from './work.ts';

/** Around what an item is worked on at a model's request. */
export const contextOf = ({ task, now, timezone }: ModelRequest, step: string): WorkContext => ({
  messages: catalogue(task.language).offline,
  task,
  step,
  now,
  timezone,
});

const NOTHING = { next_action: null, question: null, response: null };

const ended = (step: string, { isDone, text }: Outcome, { messages }: WorkContext): ThoughtAnswer => ({
  ...NOTHING,
  status: 'done',
  current_step: step,
  response: isDone ? text : messages.notDone(text),
  ...(!isDone && { outcome: 'blocked' }),
});

/** What keeps a need from being met: the tool is not this item's, or nothing may be called or asked now. */
const obstacle = (
  need: { call: { tool: string } } | { ask: { text: string } },
  { may, tools }: ModelRequest,
  { messages }: WorkContext,
) => {
  if ('ask' in need) return may.includes('ask_user') ? null : messages.mayNotAsk(need.ask.text);
  const { tool } = need.call;
  if (!tools.some(({ name }) => name === tool)) return messages.noSuchTool(tool);
  return may.includes('continue') ? null : messages.mayNotAct(tool);
};

const thinkAbout = (item: PlanItem, model: ModelRequest): ThoughtAnswer => {
  const context = contextOf(model, item.step);
  const progress = progressOf(workOn(item, context), item, context);
  if ('outcome' in progress) return ended(item.step, progress.outcome, context);
  const { need } = progress;
  const text = obstacle(need, model, context);
  if (text !== null) return ended(item.step, { isDone: false, text }, context);
  if ('call' in need) return { ...NOTHING, status: 'continue', current_step: item.step, next_action: need.call };
  const { options } = need.ask;
  const question = cutText(need.ask.text, QUESTION_CHARS_MAX);
  return { ...NOTHING, status: 'ask_user', current_step: item.step, question, ...(options.length > 0 && { options }) };
};

/**
 * The thought about one item: the tool's command line, a question for what is missing, or the item's conclusion. It never says
 * what `may` rules out, never repeats a command that it saw the outcome of, and asks no question twice.
 */
export const think = (model: ModelRequest): ThoughtAnswer => {
  const item = model.task.plan_items.find(({ id }) => id === model.item_id);
  if (item !== undefined) return thinkAbout(item, model);
  return { ...NOTHING, status: 'done', current_step: null, response: catalogue(model.task.language).offline.noResult };
};
