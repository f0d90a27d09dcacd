/** Answers of a model, short to write. */
export const plan = (...items: unknown[]) => ({ status: 'planned', plan: items });
export const act = (tool: string, input: string) => ({
  status: 'continue',
  current_step: 'working',
  next_action: { tool, input },
  question: null,
  response: null,
});
export const ask = (question: string) => ({ status: 'ask_user', current_step: 'working', question });
export const done = (response?: string) => ({ status: 'done', current_step: 'working', response: response ?? null });
export const replanned = (...items: unknown[]) => ({ status: 'replanned', plan: items, response: null });
export const answer = (response: string) => ({ status: 'done', plan: [], response });
