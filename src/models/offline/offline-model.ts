import type { PlanAnswer, ReplanAnswer, ThoughtAnswer } from '../../../contracts/answer.ts';
import type { Model, ModelRequest } from '../port.ts';
import { plan } from './plan.ts';
import { replan } from './replan.ts';
import { think } from './think.ts';

const answerFor = async (request: ModelRequest): Promise<PlanAnswer | ThoughtAnswer | ReplanAnswer> => {
  const { contract } = request;
  switch (contract) {
    case 'plan':
      return plan(request);
    case 'thought':
      return think(request);
    case 'replan':
      return replan(request);
    default:
      return contract satisfies never;
  }
};

/**
 * The model that needs no key and no network (SPEC 9): rules for todos and schedules in English and Chinese. The same request
 * always gives the same text. It is parsed and validated like any other model's.
 */
export const createOfflineModel = (): Model => ({
  name: 'offline',
  async answer(request, signal) {
    signal.throwIfAborted();
    const text = JSON.stringify(await answerFor(request));
    signal.throwIfAborted();
    return { text, fault: 'none', usage: { input_tokens: 0, output_tokens: 0 } };
  },
});
