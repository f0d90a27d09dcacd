import type { Effect, TaskEvent } from '../../contracts/event.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import { outcomeOf } from './effect-outcome.ts';
import type { Meters } from './meters.ts';

/** The contract that an effect asks a model for. */
const CONTRACTS = { 'model.plan': 'plan', 'model.thought': 'thought', 'model.replan': 'replan' } as const;

/** An effect with what came of it. */
export interface EndedEffect {
  effect: Effect;
  outcome: TaskEvent | null;
  /** The model that was asked. */
  model: string;
  seconds: number;
}

/** How names that come from outside are kept in bounds. */
export interface LabelNames {
  model(name: string): string;
  tool(name: string): string;
}

const countTokens = ({ modelTokens, modelCost }: Meters, model: string, usage: CallUsage): void => {
  const kinds = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cache_write: usage.cache_written_tokens ?? 0,
    cache_read: usage.cache_read_tokens ?? 0,
  };
  for (const [kind, tokens] of Object.entries(kinds)) if (tokens > 0) modelTokens.inc({ model, kind }, tokens);
  if (usage.cost !== undefined) modelCost.inc({ model, currency: usage.cost.currency }, Number(usage.cost.amount));
};

/** Counts an effect by its kind, with its time, and of a model call the tokens and what they cost. */
export const countEffect = (meters: Meters, names: LabelNames, ended: EndedEffect): void => {
  const { effect, seconds } = ended;
  const outcome = outcomeOf(ended.outcome);
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan': {
      const usage = ended.outcome !== null && 'usage' in ended.outcome ? ended.outcome.usage : undefined;
      const model = names.model(usage?.model ?? ended.model);
      meters.modelCalls.inc({ model, contract: CONTRACTS[effect.type], outcome });
      meters.modelSeconds.observe({ model }, seconds);
      if (usage !== undefined) countTokens(meters, model, usage);
      return;
    }
    case 'tool.call': {
      const tool = names.tool(effect.params.tool);
      meters.toolCalls.inc({ tool, outcome });
      meters.toolSeconds.observe({ tool }, seconds);
      return;
    }
    case 'verify.run':
      meters.verifications.inc({ outcome });
      return;
    default:
      effect satisfies never;
  }
};
