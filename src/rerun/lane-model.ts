import type { LaneEnd } from '../../contracts/rerun.ts';
import {
  addAmounts,
  type CallUsage,
  costOfCall,
  isAtLeast,
  type Prices,
  saidUsage,
  totalTokens,
} from '../../contracts/usage.ts';
import type { Model, ModelReply } from '../models/port.ts';
import { untilAborted } from './until-aborted.ts';

/** The money that all lanes of a rerun may spend together. */
export interface Budget {
  /** Why no model may be asked any more; null: it may. */
  refusal(): Promise<LaneEnd | null> | LaneEnd | null;
  /** Counts an answer, with its model. */
  spend(usage: CallUsage): Promise<void> | void;
}

/**
 * A budget of money by a price list. An answer whose price is not known uses it up. `max` null: no limit.
 */
export const createBudget = (max: string | null): Budget => {
  let spent = '0';
  let unpriced: string | null = null;
  return {
    refusal: () => {
      if (max === null) return null;
      if (unpriced !== null) return { kind: 'max_cost', text: `no price is known of ${unpriced}` };
      return isAtLeast(spent, max) ? { kind: 'max_cost', text: `${spent} of ${max} are spent` } : null;
    },
    spend: (usage) => {
      const isFree = !usage.is_unknown && totalTokens(usage) === 0;
      if (usage.cost !== undefined) spent = addAmounts(spent, usage.cost.amount);
      else if (!isFree) unpriced ??= usage.model ?? 'the model';
    },
  };
};

/** The tokens of an answer with its model, and its cost where the prices have one. */
export const usageOf = (reply: ModelReply, asked: string, prices: Prices | null): CallUsage => {
  const said = { ...saidUsage(reply.usage), model: reply.model ?? asked };
  const cost = prices === null ? null : costOfCall(prices, said.model, said);
  return { ...said, ...(cost !== null && { cost }) };
};

interface LaneModelParts {
  model: Model;
  budget: Budget;
  prices: Prices | null;
  /** Resolves when the recorded user has done what they did before the outcome of this effect. */
  beforeOutcome(): Promise<void>;
  /** The budget allows no further answer: ends the lane. */
  refused(end: LaneEnd): void;
}

/** The lane's model: asks nobody once the budget is used up, and gives its answer when the recorded user is where they were. */
export const createLaneModel = ({ model, budget, prices, beforeOutcome, refused }: LaneModelParts): Model => ({
  name: model.name,
  ...(model.voice !== undefined && { voice: model.voice }),
  ...(model.nameFor !== undefined && { nameFor: model.nameFor }),
  answer: async (request, signal) => {
    const end = await budget.refusal();
    if (end !== null) {
      refused(end);
      return untilAborted(signal);
    }
    const reply = await model.answer(request, signal).catch(async (error: unknown) => {
      await beforeOutcome();
      throw error;
    });
    await budget.spend(usageOf(reply, model.name, prices));
    await beforeOutcome();
    return reply;
  },
});
