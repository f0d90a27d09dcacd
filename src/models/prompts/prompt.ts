import type { ModelRequest } from '../port.ts';
import { planMessages, replanMessages, thoughtMessages } from './messages.ts';
import type { Prompt } from './prompt-text.ts';
import { timeLine } from './sections.ts';
import { systemPrompt } from './system.ts';

/**
 * The prompt of a request, which depends on the request alone: the time comes with it (SPEC 7). `dropObservations` leaves out that many of the task's
 * oldest observations.
 */
export const promptFor = (request: ModelRequest, dropObservations = 0): Prompt => {
  const { contract, now, timezone } = request;
  const task = { ...request.task, observations: request.task.observations.slice(dropObservations) };
  const time = timeLine(now, timezone);
  const system = systemPrompt(request);
  switch (contract) {
    case 'plan':
      return { system, messages: planMessages(task, time) };
    case 'replan':
      return { system, messages: replanMessages(task, time) };
    case 'thought':
      return { system, messages: thoughtMessages(task, request, time) };
    default:
      return contract satisfies never;
  }
};
