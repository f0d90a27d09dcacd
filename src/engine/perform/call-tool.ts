import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import type { Effect, TaskEvent } from '../../../contracts/event.ts';
import { effectId } from '../../../contracts/ids.ts';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { ToolResult } from '../../../contracts/task.ts';
import { cutText } from '../../../contracts/text.ts';
import { withoutExecutorTag } from '../../../machines/plan-items.ts';
import type { Asking } from '../../store/questions.ts';
import type { OutsideTool, TaskToolCall } from '../../tools/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { EffectWork, Outcome } from '../session-input.ts';
import { type EffectContext, type EffectDeps, messageOf } from './effect-deps.ts';

/** Runs a tool within its time limit; whatever it does, throws or fails to do is a result. Rejects only when the call's signal aborts. */
export const runOutside = async (
  { workspaceOf, toolTimeoutMs }: Pick<EffectDeps, 'workspaceOf' | 'toolTimeoutMs'>,
  tool: OutsideTool,
  input: string,
  call: Omit<TaskToolCall, 'workspace'>,
): Promise<ToolResult> => {
  const { timeoutMs = toolTimeoutMs } = tool;
  let timeout: DOMException | null = null;
  let signal: AbortSignal | undefined;
  let abort = (_reason: unknown): void => {};
  const stop = (): void => abort(call.signal.reason);
  const ownSignal = (): AbortSignal => {
    const controller = new AbortController();
    // As the tool's own work, for a listener of it that throws would else be taken for a fault of the service.
    abort = AsyncLocalStorage.bind((reason: unknown) => controller.abort(reason));
    if (timeout !== null) abort(timeout);
    else if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
    return controller.signal;
  };
  // Only the deadline ends the wait: what an aborted tool still gives back is written down as a late result (SPEC 6).
  const late = Promise.withResolvers<never>();
  const deadline = setTimeout(() => {
    timeout = new DOMException('the time limit is over', 'TimeoutError');
    late.reject(timeout);
    abort(timeout);
  }, timeoutMs);
  try {
    const own: TaskToolCall = {
      ...call,
      // Most tools need no folder and no signal, so they are made when one asks.
      get workspace() {
        return workspaceOf(call.owner, call.session_id);
      },
      get signal() {
        signal ??= ownSignal();
        return signal;
      },
    };
    return ToolResult.parse(await Promise.race([tool.run(input, own), late.promise]));
  } catch (error) {
    if (call.signal.aborted) throw error;
    if (timeout === null) return { ok: false, result: messageOf(error) };
    const { timedOut, mayHaveRun } = messages(call.language).toolCalls;
    const text = timedOut(tool.name, timeoutMs);
    return { ok: false, result: tool.effect === 'at_most_once' ? mayHaveRun(text) : text };
  } finally {
    clearTimeout(deadline);
    call.signal.removeEventListener('abort', stop);
  }
};

/** A text of its own, for one that a tool cut out of another would keep all of that in memory. */
const observed = (effect: number, tool: string, input: string, { ok, result }: ToolResult): TaskEvent => ({
  type: 'observation.recorded',
  effect,
  tool,
  input,
  ok,
  result: structuredClone(cutText(result, OBSERVATION_CHARS_MAX)),
});

/** Runs a transactional tool, and gives what is observed. Throws what the tool throws. */
export function* runInside(
  tools: Pick<ToolRegistry, 'get'>,
  { effect, tool: name, input, call }: EffectWork,
): Asking<TaskEvent> {
  const tool = tools.get(name);
  if (tool?.effect !== 'transactional') throw new Error(`${name} is no transactional tool`);
  return observed(effect, name, input, yield* tool.run(input, call));
}

/** The observation in place of a transactional tool that threw, and of which nothing is stored. */
export const failedInside = (
  log: Logger,
  { task_id, effect, tool, input, call }: EffectWork,
  error: unknown,
): TaskEvent => {
  log.error({ err: error, task_id, effect_id: effectId(task_id, effect) }, 'a transactional tool threw');
  const result = messages(call.language).toolCalls.changedNothing(tool, messageOf(error));
  return observed(effect, tool, input, { ok: false, result });
};

/** Calls a tool; whatever it does, throws or fails to do is an observation. Rejects only when `signal` aborts. */
export const callTool = async (
  deps: EffectDeps,
  { effect, params }: Extract<Effect, { type: 'tool.call' }>,
  context: EffectContext,
): Promise<Outcome> => {
  const { task, owner, session_id, timezone, signal, isRetryAfterCrash } = context;
  const { tool: name, input, item_id, executor, refusal } = params;
  const { task_id } = task;
  const gave = (result: ToolResult): TaskEvent => observed(effect, name, input, result);
  if (refusal !== undefined) return gave({ ok: false, result: refusal });
  // After a start the server that has it may still be connecting.
  if (deps.tools.get(name) === undefined) await deps.toolsTried;
  const tool = deps.tools.get(name);
  const item = task.plan_items.find(({ id }) => id === item_id);
  const texts = messages(task.language).toolCalls;
  if (tool === undefined) return gave({ ok: false, result: texts.unknownTool(name) });
  const { language, metadata } = task;
  const call = { owner, session_id, timezone, language, now: deps.now(), metadata };
  if (tool.effect === 'transactional') return { type: 'effect_work', task_id, effect, tool: name, input, call };
  if (isRetryAfterCrash && tool.effect === 'at_most_once') return gave({ ok: false, result: texts.interrupted });
  const result = await runOutside(deps, tool, input, {
    ...call,
    task_id,
    effect_id: effectId(task_id, effect),
    item_id,
    executor,
    expected: item === undefined ? null : withoutExecutorTag(item.expected ?? item.step),
    clarifications: task.clarification_history.map(({ text }) => text),
    signal,
  });
  return gave(result);
};
