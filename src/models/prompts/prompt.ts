import type { TaskContext } from '../../../contracts/task.ts';
import type { ModelRequest } from '../port.ts';
import { planPrompt } from './plan-prompt.ts';
import type { Prompt } from './prompt-text.ts';
import { replanPrompt } from './replan-prompt.ts';
import { thoughtPrompt } from './thought-prompt.ts';

/** Makes the prompt of a request; `dropObservations` leaves out that many of the task's oldest observations. */
export type PromptFor = (request: ModelRequest, options?: { dropObservations?: number }) => Prompt;

const withoutOldest = (task: TaskContext, count: number): TaskContext =>
  count > 0 ? { ...task, observations: task.observations.slice(count) } : task;

/** The prompt for whichever contract the request names. Pure: the time comes with the request (SPEC 7). */
export const promptFor: PromptFor = (request, options = {}) => {
  const shown = { ...request, task: withoutOldest(request.task, options.dropObservations ?? 0) };
  const { contract } = shown;
  switch (contract) {
    case 'plan':
      return planPrompt(shown);
    case 'thought':
      return thoughtPrompt(shown);
    case 'replan':
      return replanPrompt(shown);
    default:
      return contract satisfies never;
  }
};
