import type { PlanItem } from '../../../contracts/plan.ts';
import type { NextAction, ThoughtAnswer } from '../../../contracts/thought.ts';
import type { ModelRequest } from '../port.ts';
import { actionFor } from './command-line.ts';
import { offlineMessages } from './messages.ts';
import { requestOf } from './plan.ts';
import { resolve } from './resolve.ts';

const done = (item: PlanItem, response: string): ThoughtAnswer => ({
  status: 'done',
  current_step: item.step,
  next_action: null,
  question: null,
  response,
});

/** What a tool said was wrong, without the usage under it: that is for users who type commands. */
const faultIn = (result: string): string => result.replace(/\n(?:Usage:|用法：)[\s\S]*$/u, '');

const lastOutcome = ({ task, item_id }: ModelRequest, action?: NextAction) =>
  task.observations.findLast(
    (observation) =>
      observation.item_id === item_id &&
      (action === undefined || (observation.tool === action.tool && observation.input === action.input)),
  );

/** The next move on an item whose request has all that it needs: call the tool once, then conclude with what it gave. */
const carryOut = (model: ModelRequest, item: PlanItem, action: NextAction): ThoughtAnswer => {
  const messages = offlineMessages[model.task.language];
  const outcome = lastOutcome(model, action);
  if (outcome !== undefined) return done(item, outcome.ok ? outcome.result : messages.notDone(faultIn(outcome.result)));
  if (!model.tools.some(({ name }) => name === action.tool))
    return done(item, messages.notDone(messages.noSuchTool(action.tool)));
  if (!model.may.includes('continue')) return done(item, messages.notDone(messages.mayNotAct(action.tool)));
  return { status: 'continue', current_step: item.step, next_action: action, question: null, response: null };
};

/**
 * The thought about one item: the tool's command line, a question for what is missing, or the item's conclusion. It never says
 * what `may` rules out, never repeats a command that it saw the outcome of, and asks no question twice.
 */
export const think = (model: ModelRequest): ThoughtAnswer => {
  const { task, item_id, may } = model;
  const messages = offlineMessages[task.language];
  const item = task.plan_items.find(({ id }) => id === item_id);
  if (item === undefined)
    return { status: 'done', current_step: null, next_action: null, question: null, response: messages.cannot };
  const request = requestOf(item);
  if (request === null) return done(item, messages.notDone(messages.notUnderstood));
  const resolution = resolve(request, item.step, item.id, task);
  switch (resolution.kind) {
    case 'ready':
      return carryOut(model, item, actionFor(resolution.request));
    case 'ask': {
      const { question } = resolution;
      if (!may.includes('ask_user')) return done(item, messages.notDone(messages.mayNotAsk(question)));
      return { status: 'ask_user', current_step: item.step, next_action: null, question, response: null };
    }
    case 'given_up': {
      const refused = lastOutcome(model);
      const reason =
        resolution.reason === 'unanswered' && refused !== undefined
          ? faultIn(refused.result)
          : messages[resolution.reason];
      return done(item, messages.notDone(reason));
    }
    default:
      return resolution satisfies never;
  }
};
