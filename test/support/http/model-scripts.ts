import type { Script } from '../../../src/models/scripted.ts';

/** A thought that runs one tool. */
export const act = (input: string): Record<string, unknown> => ({
  status: 'continue',
  current_step: 'now',
  next_action: { tool: 'todo', input },
});

export const itemDone = { status: 'done', current_step: 'now' };

export const answer = (response: string): Record<string, unknown> => ({ status: 'done', plan: [], response });

/** One item, one tool action, the answer: `times` such tasks. */
export const simpleTask = (times = 1): Script => ({
  plan: Array.from({ length: times }, () => ({ status: 'planned', plan: ['Add milk'] })),
  thought: Array.from({ length: times }, () => [act('add milk'), itemDone]).flat(),
  replan: Array.from({ length: times }, () => answer('Milk is on the list')),
});

/** A task that asks first, and is done with the answer. */
export const askingTask: Script = {
  plan: [{ status: 'planned', plan: ['Add something'] }],
  thought: [{ status: 'ask_user', current_step: 'now', question: 'Add what?' }],
  replan: [answer('Noted')],
};

/** A plan answer that is pending until `release` is called. */
export const pendingPlan = (): { plan: Promise<Record<string, unknown>>; release: () => void } => {
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  return { plan: promise, release: () => resolve({ status: 'planned', plan: ['Add milk'] }) };
};
