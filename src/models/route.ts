import type { Model, ModelRequest } from './port.ts';

/** Asks an executor's own model for thoughts on its items, and the standard model for everything else. */
export const routed = (standard: Model, own: ReadonlyMap<string, Model>): Model => {
  const chosenFor = ({ contract, task, item_id }: Pick<ModelRequest, 'contract' | 'task' | 'item_id'>) => {
    const item = contract === 'thought' ? task.plan_items.find(({ id }) => id === item_id) : undefined;
    return item === undefined ? undefined : own.get(item.executor);
  };
  return {
    name: standard.name,
    ...(standard.problem !== undefined && { problem: standard.problem }),
    nameFor: (request) => (chosenFor(request) ?? standard).name,
    answer: async (request, signal) => {
      const chosen = chosenFor(request);
      if (chosen === undefined) return standard.answer(request, signal);
      return { ...(await chosen.answer(request, signal)), model: chosen.name };
    },
  };
};
