import type { Effect } from '../../../contracts/effect.ts';
import { EFFECT_ATTEMPTS_MAX } from '../../../contracts/limits.ts';
import { type EffectResult, type EffectWork, resultOf } from '../session-input.ts';
import { askModel } from './ask-model.ts';
import { callTool } from './call-tool.ts';
import type { EffectContext, EffectDeps } from './effect-deps.ts';
import { runVerifiers } from './run-verifiers.ts';

/**
 * Performs one effect and gives its outcome. Commits nothing. Rejects only when `signal` aborts: every other failure is an
 * outcome. A transactional tool is not run here but handed back, to run inside the commit (SPEC 7).
 */
export const performEffect = (
  deps: EffectDeps,
  effect: Effect,
  context: EffectContext,
): Promise<EffectResult | EffectWork> => {
  if (context.begins > EFFECT_ATTEMPTS_MAX)
    return Promise.resolve(resultOf({ type: 'effect.abandoned', effect: effect.effect, begins: EFFECT_ATTEMPTS_MAX }));
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan':
      return askModel(deps, effect, context);
    case 'tool.call':
      return callTool(deps, effect, context);
    case 'verify.run':
      return runVerifiers(deps, effect.effect, context).then(resultOf);
    default:
      return effect satisfies never;
  }
};
