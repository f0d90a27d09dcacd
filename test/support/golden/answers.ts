import type { PlanItemAnswer } from '../../../contracts/answer.ts';

/** The texts that a model answers in golden scripts: the three contracts as JSON. */
export const planned = (...plan: PlanItemAnswer[]): string => JSON.stringify({ status: 'planned', plan });

export const act = (tool: string, input: string): string =>
  JSON.stringify({ status: 'continue', current_step: `I use ${tool}.`, next_action: { tool, input } });

export const ask = (question: string): string =>
  JSON.stringify({ status: 'ask_user', current_step: 'Something is missing.', question });

export const askWith = (question: string, ...options: string[]): string =>
  JSON.stringify({ status: 'ask_user', current_step: 'Something is missing.', question, options });

export const done = (response: string | null = null): string => JSON.stringify({ status: 'done', response });

export const replanned = (...plan: PlanItemAnswer[]): string => JSON.stringify({ status: 'replanned', plan });

export const finished = (response: string): string => JSON.stringify({ status: 'done', plan: [], response });

export const blocked = (response: string): string => JSON.stringify({ status: 'done', response, outcome: 'blocked' });

export const gaveUp = (response: string): string =>
  JSON.stringify({ status: 'done', plan: [], response, outcome: 'failed' });
