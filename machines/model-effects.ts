import type { AnswerContract } from '../contracts/calls.ts';
import type { Effect } from '../contracts/event.ts';

/** The contract that each kind of model effect asks for. */
const CONTRACT_OF = {
  'model.plan': 'plan',
  'model.thought': 'thought',
  'model.replan': 'replan',
} as const satisfies Partial<Record<Effect['type'], AnswerContract>>;

/** An effect that asks a model for an answer. */
export type ModelEffect = Extract<Effect, { type: keyof typeof CONTRACT_OF }>;

export const isModelEffect = (effect: Effect): effect is ModelEffect => effect.type in CONTRACT_OF;

/** The contract that is due by an effect, and for a thought its item. */
export const dueBy = (effect: ModelEffect): { contract: AnswerContract; item_id: string | null } => ({
  contract: CONTRACT_OF[effect.type],
  item_id: effect.type === 'model.thought' ? effect.params.item_id : null,
});
