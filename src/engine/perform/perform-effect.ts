import type { Effect } from '../../../contracts/effect.ts';
import type { TaskEvent } from '../../../contracts/event.ts';
import { EFFECT_ATTEMPTS_MAX } from '../../../contracts/limits.ts';
import type { EffectResult, EffectWork } from '../session-input.ts';
import { askModel } from './ask-model.ts';
import { callTool } from './call-tool.ts';
import type { EffectContext, EffectDeps } from './effect-deps.ts';
import { runVerifiers } from './run-verifiers.ts';

const resultOf = (event: TaskEvent): EffectResult => ({ type: 'effect_result', event });

/**
 * Performs one effect and gives its outcome. Commits nothing. Rejects only when `signal` aborts: every other failure is an
 * outcome. A transactional tool is not run here but handed back, to run inside the commit (SPEC 7).
 */
export const performEffect = async (
  deps: EffectDeps,
  effect: Effect,
  context: EffectContext,
): Promise<EffectResult | EffectWork> => {
  const { effect_id } = effect;
  if (context.attempts > EFFECT_ATTEMPTS_MAX)
    return resultOf({ type: 'effect.abandoned', effect_id, begins: EFFECT_ATTEMPTS_MAX });
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan':
      return resultOf(await askModel(deps, effect, context));
    case 'tool.call':
      return callTool(deps, effect, context);
    case 'verify.run':
      return resultOf(await runVerifiers(deps, effect_id, context));
    default:
      return effect satisfies never;
  }
};
