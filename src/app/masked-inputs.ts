import type { Engine } from '../engine/port.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import type { NamedPlans } from '../tools/planning/port.ts';

/** Wraps what users write into. */
export interface MaskedInputs {
  /** A value with every text in it masked, at any depth. */
  masked<Value>(value: Value): Value;
  engine(engine: Engine): Engine;
  plans(plans: NamedPlans): NamedPlans;
}

/**
 * Makes the wrappers that mask the service's secrets in what users write, so that none is stored: a turn, an answer, a steer, a decision, an edit
 * of a plan, a named plan. What tools inside the store's transaction say comes from there. Ids and addresses stay as they are.
 */
export const createMaskedInputs = (secrets: readonly string[]): MaskedInputs => {
  const mask = maskSecrets(secrets);
  const masked = <Value>(value: Value): Value => {
    if (typeof value === 'string') return mask(value) as Value;
    if (Array.isArray(value)) return value.map(masked) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner)])) as Value;
  };
  return {
    masked,
    engine: (engine) => ({
      ...engine,
      submit: ({ input, decision, ...turn }) =>
        engine.submit({
          ...turn,
          input: mask(input),
          ...(decision !== undefined && { decision: masked(decision) }),
        }),
      editPlan: (owner, taskId, edits) => engine.editPlan(owner, taskId, masked(edits)),
      fork: (owner, taskId, { input, ...fork }) =>
        engine.fork(owner, taskId, { ...fork, ...(input !== undefined && { input: mask(input) }) }),
    }),
    plans: (plans) => ({
      ...plans,
      create: (scope, plan, now) => plans.create(scope, masked(plan), now),
      update: (scope, planId, change, now) => plans.update(scope, planId, masked(change), now),
      mark: (scope, planId, index, mark, now) => plans.mark(scope, planId, index, masked(mark), now),
    }),
  };
};
