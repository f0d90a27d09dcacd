import { type Model, type ModelChoice, ModelUnavailable } from './port.ts';

/** Models that differ from the standard one. */
export interface OwnModels {
  readonly ofExecutors: ReadonlyMap<string, Model>;
  readonly ofAgents: ReadonlyMap<string, Model>;
}

/**
 * Asks an executor's own model for thoughts on its items, else the own model of the task's agent, and the standard
 * model for everything else.
 */
export const routed = (standard: Model, { ofExecutors, ofAgents }: OwnModels): Model => {
  const chosenFor = ({ contract, task, item_id }: ModelChoice) => {
    const item = contract === 'thought' ? task.plan_items.find(({ id }) => id === item_id) : undefined;
    const own = item === undefined ? undefined : ofExecutors.get(item.executor);
    return own ?? (task.agent === undefined ? undefined : ofAgents.get(task.agent));
  };
  return {
    name: standard.name,
    ...(standard.problem !== undefined && { problem: standard.problem }),
    ...(standard.voice !== undefined && { voice: standard.voice }),
    nameFor: (request) => (chosenFor(request) ?? standard).name,
    answer: async (request, signal) => {
      const chosen = chosenFor(request);
      if (chosen === undefined) return standard.answer(request, signal);
      return { ...(await chosen.answer(request, signal)), model: chosen.name };
    },
  };
};

/**
 * The first model, with a fallback that answers if the first gave no answer after its retries (SPEC 9). The reply names
 * the one that answered.
 */
export const withFallback = (first: Model, fallback: Model, warn: (reason: string) => void): Model => ({
  ...first,
  answer: async (request, signal) => {
    try {
      return await first.answer(request, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelUnavailable)) throw error;
      warn(error.message);
      const reply = await fallback.answer(request, signal).catch((second: unknown) => {
        if (signal.aborted || !(second instanceof ModelUnavailable)) throw second;
        throw new ModelUnavailable(`${error.message} The fallback: ${second.message}`);
      });
      return { ...reply, model: reply.model ?? fallback.name };
    }
  },
});
