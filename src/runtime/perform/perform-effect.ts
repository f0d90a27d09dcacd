import type { Effect, TaskEvent } from '../../../contracts/event.ts';
import { EFFECT_ATTEMPTS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Outcome } from '../../session/input.ts';
import { observedText } from '../../session/observation.ts';
import { askModel } from './ask-model.ts';
import { callTool, callTools } from './call-tool.ts';
import type { EffectContext, EffectDeps } from './effect-deps.ts';

/** Runs the verifiers one after the other, up to the first failure (SPEC 3). Rejects only when `signal` aborts. */
const runVerifiers = async (deps: EffectDeps, effect: number, context: EffectContext): Promise<TaskEvent> => {
  const { owner, session_id, task, signal } = context;
  const finished = (ok: boolean, output: string): TaskEvent => ({
    type: 'verification.finished',
    effect,
    ok,
    output: structuredClone(observedText(output)),
  });
  const outputs: string[] = [];
  try {
    const workspace = deps.workspaceOf(owner, session_id);
    for (const verifier of deps.verifiers) {
      const { ok, output } = await verifier({
        session_id,
        task_id: task.task_id,
        workspace,
        language: task.language,
        signal,
      });
      outputs.push(output);
      if (!ok) return finished(false, output);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return finished(false, messages(task.language).toolCalls.verifierFailed(messageOf(error)));
  }
  return finished(true, outputs.join('\n'));
};

const perform = (deps: EffectDeps, effect: Effect, context: EffectContext): Promise<Outcome> => {
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan':
      return askModel(deps, effect, context);
    case 'tool.call':
      return callTool(deps, effect, context);
    case 'tool.batch':
      return callTools(deps, effect, context);
    case 'verify.run':
      return runVerifiers(deps, effect.effect, context);
    default:
      return effect satisfies never;
  }
};

/**
 * Performs one effect and returns its outcome, or the work that its commit does. Rejects only when `signal` aborts, and
 * with a fault of the store before anything was asked or called.
 */
export const performEffect = (deps: EffectDeps, effect: Effect, context: EffectContext): Promise<Outcome> =>
  context.begins > EFFECT_ATTEMPTS_MAX
    ? Promise.resolve({ type: 'effect.abandoned', effect: effect.effect, begins: EFFECT_ATTEMPTS_MAX })
    : deps.within(context, context.signal, (workspaceOf) => perform({ ...deps, workspaceOf }, effect, context));
