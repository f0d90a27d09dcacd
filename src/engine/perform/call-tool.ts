import type { Effect } from '../../../contracts/effect.ts';
import type { TaskEvent } from '../../../contracts/event.ts';
import { effectId } from '../../../contracts/ids.ts';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/observation.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { withoutExecutorTag } from '../../../machines/plan-items.ts';
import { type EffectResult, type EffectWork, resultOf } from '../session-input.ts';
import { type EffectContext, type EffectDeps, messageOf } from './effect-deps.ts';
import { runOutside } from './run-outside.ts';

/** Calls a tool; whatever it does, throws or fails to do is an observation. Rejects only when `signal` aborts. */
export const callTool = async (
  deps: EffectDeps,
  { effect, params }: Extract<Effect, { type: 'tool.call' }>,
  context: EffectContext,
): Promise<EffectResult | EffectWork> => {
  const { task, owner, session_id, timezone, signal, isRetryAfterCrash } = context;
  const { tool: name, input, item_id, executor } = params;
  const effect_id = effectId(task.task_id, effect);
  const observed = ({ ok, result }: ToolResult): TaskEvent => ({
    type: 'observation.recorded',
    effect,
    tool: name,
    input,
    ok,
    // A text of its own, for one that a tool cut out of another would keep all of that in memory.
    result: structuredClone(cutText(result, OBSERVATION_CHARS_MAX)),
  });
  // After a start the server that has it may still be connecting.
  if (deps.tools.get(name) === undefined) await deps.toolsTried;
  const tool = deps.tools.get(name);
  const item = task.plan_items.find(({ id }) => id === item_id);
  const texts = messages(task.language).toolCalls;
  if (tool === undefined) return resultOf(observed({ ok: false, result: texts.unknownTool(name) }));
  const call = { owner, session_id, timezone, language: task.language, now: deps.now() };
  if (tool.effect === 'transactional')
    return {
      type: 'effect_work',
      *work() {
        return observed(yield* tool.run(input, call));
      },
      failed: (error) => {
        deps.log.error({ err: error, task_id: task.task_id, effect_id }, 'a transactional tool threw');
        return observed({ ok: false, result: texts.changedNothing(name, messageOf(error)) });
      },
    };
  if (isRetryAfterCrash && tool.effect === 'at_most_once')
    return resultOf(observed({ ok: false, result: texts.interrupted }));
  const result = await runOutside(
    tool,
    input,
    {
      ...call,
      task_id: task.task_id,
      effect_id,
      item_id,
      executor,
      expected: item === undefined ? null : withoutExecutorTag(item.expected ?? item.step),
      clarifications: task.clarification_history.map(({ text }) => text),
      signal,
    },
    () => deps.workspaceOf(owner, session_id),
    tool.timeoutMs ?? deps.toolTimeoutMs,
  );
  return resultOf(observed(result));
};
