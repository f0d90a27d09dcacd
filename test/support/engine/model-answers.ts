import type { WrittenItem } from '../machine/task-driver.ts';

/** One call of a message, of a tool that takes a command line. */
export const callTool = (tool: string, input = 'go') => ({ name: tool, input: { input } });

/** The call that gives the plan, first or later. */
export const callPlan = (...items: WrittenItem[]) => ({ name: 'plan', input: { items } });

/** The call that ends the current item, by default leaving the plan unchanged. */
export const callItemDone = (result: string, more: Record<string, unknown> = { plan: 'unchanged' }) => ({
  name: 'item_done',
  input: { result, ...more },
});

/** The call that asks the user. */
export const callAsk = (question: string) => ({ name: 'ask_user', input: { question } });

/** The call that ends the task. */
export const callFinish = (response: string, more: Record<string, unknown> = {}) => ({
  name: 'finish',
  input: { response, ...more },
});

/** Answers of a scripted model: each function returns one contract's answer as an object. */
export const plans = (...plan: WrittenItem[]) => ({ status: 'planned', plan });

/** The model calls a tool. */
export const acts = (tool: string, input = 'go') => ({
  status: 'continue',
  current_step: 'now',
  next_action: { tool, input },
});

/** The model calls a tool with several inputs at once. */
export const reads = (tool: string, first: string, ...more: string[]) => ({
  ...acts(tool, first),
  more_actions: more.map((input) => ({ tool, input })),
});

/** The model asks the user. */
export const asks = (question: string) => ({ status: 'ask_user', current_step: 'now', question });

/** The model ends the current item. */
export const finishes = (response: string | null = null) => ({ status: 'done', response });

/** The model replaces the rest of the plan. */
export const replans = (...plan: WrittenItem[]) => ({ status: 'replanned', plan });

/** The model answers the user, which ends the task. */
export const concludes = (response: string) => ({ status: 'done', response });

/** A whole task without a tool: one item, done at once, and this answer. */
export const straight = (response: string) => [plans('Think'), finishes(), concludes(response)];

/** A task up to this question. */
export const asking = (question: string) => [plans('Think'), asks(question)];

/** A model for any number of tasks: answers each with its goal, and never asks. */
export const echo = {
  plan: plans('Think'),
  thought: finishes(),
  replan: ({ task }: { task: { goal: string } }) => concludes(`did: ${task.goal}`),
};
