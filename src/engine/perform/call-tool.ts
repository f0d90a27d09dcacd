import type { Effect } from '../../../contracts/effect.ts';
import type { TaskEvent } from '../../../contracts/event.ts';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { ToolResult } from '../../../contracts/observation.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { withoutExecutorTag } from '../../../machines/executor-tag.ts';
import type { OutsideTool, TaskToolCall } from '../../tools/port.ts';
import { type EffectResult, type EffectWork, resultOf } from '../session-input.ts';
import { type EffectContext, type EffectDeps, messageOf } from './effect-deps.ts';

const runOutside = async (
  tool: OutsideTool,
  input: string,
  call: Omit<TaskToolCall, 'workspace'>,
  workspaceOf: () => string,
  timeoutMs: number,
): Promise<ToolResult> => {
  // Only the deadline ends the wait: what an aborted tool still gives back is written down as a late result (SPEC 6).
  const controller = new AbortController();
  const stop = (): void => controller.abort(call.signal.reason);
  call.signal.addEventListener('abort', stop, { once: true });
  let deadline: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => {
      isLate = true;
      controller.abort(new DOMException('the time limit is over', 'TimeoutError'));
      reject(controller.signal.reason);
    }, timeoutMs);
  });
  try {
    const own: TaskToolCall = {
      ...call,
      // Most tools need no folder, so it is looked for when one asks.
      get workspace() {
        return workspaceOf();
      },
      signal: controller.signal,
    };
    return ToolResult.parse(await Promise.race([tool.run(input, own), late]));
  } catch (error) {
    if (call.signal.aborted) throw error;
    if (!isLate) return { ok: false, result: messageOf(error) };
    const { timedOut, mayHaveRun } = messages(call.language).toolCalls;
    const text = timedOut(tool.name, timeoutMs);
    return { ok: false, result: tool.effect === 'at_most_once' ? mayHaveRun(text) : text };
  } finally {
    clearTimeout(deadline);
    call.signal.removeEventListener('abort', stop);
  }
};

/** Calls a tool; whatever it does, throws or fails to do is an observation. Rejects only when `signal` aborts. */
export const callTool = async (
  deps: EffectDeps,
  { effect_id, params }: Extract<Effect, { type: 'tool.call' }>,
  context: EffectContext,
): Promise<EffectResult | EffectWork> => {
  const { task, owner, session_id, timezone, signal, isRetryAfterCrash } = context;
  const { tool: name, input, item_id, executor } = params;
  const observed = ({ ok, result }: ToolResult): TaskEvent => ({
    type: 'observation.recorded',
    effect_id,
    tool: name,
    input,
    ok,
    result: cutText(result, OBSERVATION_CHARS_MAX),
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
