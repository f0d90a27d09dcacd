import type { Effect } from '../../../contracts/effect.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { allowedTools } from '../../../machines/current-item.ts';
import { parseModelReply } from '../../model-reply/parse-model-reply.ts';
import { ModelUnavailable } from '../../models/port.ts';
import { type EffectResult, resultOf } from '../session-input.ts';
import type { EffectContext, EffectDeps } from './effect-deps.ts';

const CONTRACTS = { 'model.plan': 'plan', 'model.thought': 'thought', 'model.replan': 'replan' } as const;

/** Asks the model for one contract; whatever it says, or that it says nothing, is an event. Rejects only when `signal` aborts. */
export const askModel = async (
  deps: EffectDeps,
  effect: Extract<Effect, { type: keyof typeof CONTRACTS }>,
  { task, timezone, signal }: EffectContext,
): Promise<EffectResult> => {
  const contract = CONTRACTS[effect.type];
  const { effect_id } = effect;
  const allowed = effect.type === 'model.thought' ? allowedTools(task) : task.catalogue.tools.map(({ name }) => name);
  try {
    const reply = await deps.model.answer(
      {
        contract,
        effect_id,
        task,
        item_id: effect.type === 'model.thought' ? effect.params.item_id : null,
        may: effect.type === 'model.thought' ? effect.params.may : [],
        tools: deps.tools.usage(allowed),
        executors: deps.tools.executors,
        instructions: deps.instructions,
        now: deps.now(),
        timezone,
      },
      signal,
    );
    return resultOf(parseModelReply(contract, task, effect_id, reply));
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ModelUnavailable)
      return resultOf({ type: 'model.unavailable', effect_id, reason: error.message });
    deps.log.error({ err: error, task_id: task.task_id, effect_id }, 'the model adapter failed');
    return resultOf({
      type: 'model.unavailable',
      effect_id,
      reason: messages(task.language).toolCalls.modelAdapterFailed,
    });
  }
};
