import type { ModelRequest } from '../port.ts';
import { planMessages, replanMessages, thoughtMessages } from './messages.ts';
import type { Prompt } from './prompt-text.ts';
import { timeLine } from './sections.ts';
import { planningSystem, thoughtSystem } from './system.ts';

/** Makes the prompt of a request; `dropObservations` leaves out that many of the task's oldest observations. */
export type PromptFor = (request: ModelRequest, options?: { dropObservations?: number }) => Prompt;

/** Remembers what it made last: most calls have the system prompt of the one before. */
const remembering = <Of extends unknown[], Made>(make: (...of: Of) => Made): ((...of: Of) => Made) => {
  let last: { of: Of; made: Made } | undefined;
  return (...of) => {
    let isSame = last?.of.length === of.length;
    for (let i = 0; isSame && i < of.length; i += 1) isSame = last?.of[i] === of[i];
    if (!isSame) last = { of, made: make(...of) };
    return last!.made;
  };
};

/** Makes the prompts of one model, whose texts depend on the request alone: the time comes with it (SPEC 7). */
export const createPrompts = (): PromptFor => {
  const planning = { plan: remembering(planningSystem), replan: remembering(planningSystem) };
  const thinking = remembering(thoughtSystem);
  const timeOf = remembering(timeLine);
  return (request, { dropObservations = 0 } = {}) => {
    const { contract, item_id, tools, executors, instructions, now, timezone } = request;
    const { observations, language, limits, plan_items } = request.task;
    const task =
      dropObservations === 0 ? request.task : { ...request.task, observations: observations.slice(dropObservations) };
    const time = timeOf(Math.floor(now / 1_000), timezone);
    switch (contract) {
      case 'plan':
      case 'replan': {
        const messages = contract === 'plan' ? planMessages(task, time) : replanMessages(task, time);
        const of = [limits.max_plan_items, language, instructions, executors, ...tools] as const;
        return { ...planning[contract](contract, ...of), messages };
      }
      case 'thought': {
        const item = plan_items.find(({ id }) => id === item_id);
        const executor = executors.find(({ name }) => name === item?.executor);
        const messages = thoughtMessages(task, request, time);
        return { ...thinking(language, instructions, executor, ...tools), messages };
      }
      default:
        return contract satisfies never;
    }
  };
};
