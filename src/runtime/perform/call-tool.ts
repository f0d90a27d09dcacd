import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Effect, TaskEvent } from '../../../contracts/event.ts';
import type { AttachedFile } from '../../../contracts/file.ts';
import { effectId } from '../../../contracts/ids.ts';
import {
  OBSERVATION_CHARS_MAX,
  RESULT_HEAD_CHARS,
  RESULT_TAIL_CHARS,
  TURN_FILES_MAX,
} from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { type TaskContext, ToolResult } from '../../../contracts/task.ts';
import type { Language } from '../../../contracts/text.ts';
import { withoutExecutorTag } from '../../../machines/plan-items.ts';
import { filesNamedIn } from '../../../machines/unseen-files.ts';
import { messageOf } from '../../lib/errors.ts';
import type { EffectWork, Outcome } from '../../session/input.ts';
import { type ObservedResult, observationOf } from '../../session/observation.ts';
import {
  type OutsideResult,
  type OutsideTool,
  type TaskToolCall,
  type Tool,
  ToolAsks,
  type ToolCall,
} from '../../tools/port.ts';
import type { EffectContext, EffectDeps } from './effect-deps.ts';

/** The files of a result beyond these are left out: a turn has no more either. */
const FILES_MAX = TURN_FILES_MAX;

const GivenResult = ToolResult.extend({
  files: z
    .array(z.object({ name: z.string().optional(), media_type: z.string().optional(), data: z.string() }))
    .optional(),
});

/**
 * Runs a tool within its time limit. Whatever it does, throws or fails to do is a result. Rejects only with `ToolAsks`,
 * and when the call's signal aborts.
 */
export const runOutside = async (
  { workspaceOf, toolTimeoutMs }: Pick<EffectDeps, 'workspaceOf' | 'toolTimeoutMs'>,
  tool: OutsideTool,
  input: string,
  call: Omit<TaskToolCall, 'workspace'>,
): Promise<OutsideResult> => {
  const { timeoutMs = toolTimeoutMs } = tool;
  let timeout: DOMException | null = null;
  let signal: AbortSignal | undefined;
  let abort = (_reason: unknown): void => {};
  const stop = (): void => abort(call.signal.reason);
  const ownSignal = (): AbortSignal => {
    const controller = new AbortController();
    // As the tool's own work: otherwise an exception in one of its listeners would count as a fault of the service.
    abort = AsyncLocalStorage.bind((reason: unknown) => controller.abort(reason));
    if (timeout !== null) abort(timeout);
    else if (call.signal.aborted) stop();
    call.signal.addEventListener('abort', stop, { once: true });
    return controller.signal;
  };
  // Only the deadline ends the wait: what an aborted tool still returns is recorded as a late result (SPEC 6).
  const late = Promise.withResolvers<never>();
  const deadline = setTimeout(() => {
    timeout = new DOMException('the time limit is over', 'TimeoutError');
    late.reject(timeout);
    abort(timeout);
  }, timeoutMs);
  try {
    const own: TaskToolCall = {
      ...call,
      // Most tools need neither folder nor signal, so they are made on demand.
      get workspace() {
        return workspaceOf(call.owner, call.session_id);
      },
      get signal() {
        signal ??= ownSignal();
        return signal;
      },
    };
    return GivenResult.parse(await Promise.race([tool.run(input, own), late.promise]));
  } catch (error) {
    if (call.signal.aborted || error instanceof ToolAsks) throw error;
    if (timeout === null) return { ok: false, result: messageOf(error) };
    const { timedOut, mayHaveRun } = messages(call.language).toolCalls;
    const text = timedOut(tool.name, timeoutMs);
    return { ok: false, result: tool.effect === 'at_most_once' ? mayHaveRun(text) : text };
  } finally {
    clearTimeout(deadline);
    call.signal.removeEventListener('abort', stop);
  }
};

/** The text for a user whose tool asks something outside a task: only a task waits for an answer. A sign-in needs none. */
const outsideOfTask = ({ question: { server, requests } }: ToolAsks, language: Language): ToolResult => {
  const texts = messages(language).forms;
  const signIn = requests.find(({ kind }) => kind === 'sign_in');
  if (signIn?.kind !== 'sign_in') return { ok: false, result: texts.onlyInTask(server) };
  return { ok: false, result: `${texts.wantsSignIn(server, signIn.host)}\n\n${signIn.url}` };
};

/** Runs a tool that a user tries, outside of any task. Rejects only when the call's signal aborts. */
export const runForUser = async (...[deps, tool, input, call]: Parameters<typeof runOutside>): Promise<ToolResult> => {
  try {
    const { ok, result } = await runOutside(deps, tool, input, call);
    return { ok, result };
  } catch (error) {
    if (error instanceof ToolAsks) return outsideOfTask(error, call.language);
    throw error;
  }
};

/** The result of a call. A long one is first stored completely, for `read_result`. */
const keptWhole = (
  { workspaceOf, keepResult, log }: EffectDeps,
  { owner, session_id, task: { task_id }, signal }: EffectContext,
  effect_id: string,
  { ok, result }: ToolResult,
): ObservedResult => {
  if (keepResult === undefined || result.length <= OBSERVATION_CHARS_MAX || signal.aborted) return { ok, result };
  try {
    keepResult(workspaceOf(owner, session_id), task_id, effect_id.slice(task_id.length + 1), result);
    return { ok, result, left_out: result.length - RESULT_HEAD_CHARS - RESULT_TAIL_CHARS };
  } catch (error) {
    log.error({ err: error, task_id, effect_id }, 'a long result cannot be stored completely');
    return { ok, result };
  }
};

/** Stores a tool's images and files; `left` says in a line each which of them were not. */
const withFilesKept = async (
  { keepFiles, log }: EffectDeps,
  { owner, session_id, task, signal }: EffectContext,
  effect: number,
  { files = [] }: OutsideResult,
): Promise<{ kept: AttachedFile[]; left: string[] }> => {
  if (keepFiles === undefined || files.length === 0 || signal.aborted) return { kept: [], left: [] };
  const { fileNotKept } = messages(task.language).toolCalls;
  const of = { task_id: task.task_id, effect };
  try {
    const { kept, refusals } = await keepFiles({ owner, session_id }, of, files.slice(0, FILES_MAX));
    return { kept, left: refusals.map((why) => fileNotKept(why)) };
  } catch (err) {
    log.error({ err, task_id: task.task_id }, 'the files of a result cannot be stored');
    return { kept: [], left: [fileNotKept(messageOf(err))] };
  }
};

/** The observation for a transactional tool that threw; nothing of it is stored. */
export const failedInside = (
  log: Logger,
  { task_id, effect, tool, input, call }: EffectWork,
  error: unknown,
): TaskEvent => {
  log.error({ err: error, task_id, effect_id: effectId(task_id, effect) }, 'a transactional tool threw');
  const result = messages(call.language).toolCalls.changedNothing(tool, messageOf(error));
  return { type: 'observation.recorded', effect, ...observationOf(tool, input, { ok: false, result }) };
};

/** A tool of the task's agent. Waits for a missing one: after a start its server may still be connecting. */
export const foundTool = async (
  { agentOf, toolsTried }: Pick<EffectDeps, 'agentOf' | 'toolsTried'>,
  task: Pick<TaskContext, 'agent'>,
  name: string,
): Promise<Tool | undefined> => {
  const tools = agentOf(task)?.tools;
  if (tools?.get(name) === undefined) await toolsTried;
  return tools?.get(name);
};

/** The facts that a task's call passes to a tool, wherever it runs. */
const toolCallOf = (deps: EffectDeps, { task, owner, session_id, timezone }: EffectContext): ToolCall => {
  const { language, metadata } = task;
  return { owner, session_id, timezone, language, now: deps.now(), metadata };
};

/**
 * Runs a tool outside of the store for an effect, or reports that it may have run before a crash. Stores a long result
 * completely.
 */
const runFor = async (
  deps: EffectDeps,
  tool: OutsideTool,
  {
    effect,
    effect_id,
    input,
    item_id,
    executor,
    resumed,
  }: { effect: number; effect_id: string; input: string } & Pick<TaskToolCall, 'item_id' | 'executor' | 'resumed'>,
  context: EffectContext,
): Promise<ObservedResult> => {
  const { task, signal, isRetryAfterCrash } = context;
  if (isRetryAfterCrash && tool.effect === 'at_most_once')
    return { ok: false, result: messages(task.language).toolCalls.interrupted };
  const item = task.plan_items.find(({ id }) => id === item_id);
  const result = await runOutside(deps, tool, input, {
    ...toolCallOf(deps, context),
    task_id: task.task_id,
    effect_id,
    item_id,
    executor,
    expected: item === undefined ? null : withoutExecutorTag(item.expected ?? item.step),
    clarifications: task.clarification_history.map(({ text }) => text),
    files: filesNamedIn(task),
    signal,
    ...(isRetryAfterCrash && { isRepeated: true }),
    ...(resumed !== undefined && { resumed }),
  });
  const { kept, left } = await withFilesKept(deps, context, effect, result);
  const said = { ok: result.ok, result: [result.result, ...left].join('\n') };
  return { ...keptWhole(deps, context, effect_id, said), ...(kept.length > 0 && { files: kept }) };
};

/**
 * Calls a tool. Whatever it does, throws or fails to do is an observation, unless it asks the user. A call that goes on
 * has the id that it began with. Rejects only when `signal` aborts.
 */
export const callTool = async (
  deps: EffectDeps,
  { effect, params }: Extract<Effect, { type: 'tool.call' }>,
  context: EffectContext,
): Promise<Outcome> => {
  const { task_id, language } = context.task;
  const { tool: name, input, refusal, resumed } = params;
  const gave = (result: ObservedResult): TaskEvent => ({
    type: 'observation.recorded',
    effect,
    ...observationOf(name, input, result),
  });
  if (refusal !== undefined) return gave({ ok: false, result: refusal });
  const tool = await foundTool(deps, context.task, name);
  if (tool === undefined) return gave({ ok: false, result: messages(language).toolCalls.unknownTool(name) });
  if (tool.effect === 'transactional')
    return { type: 'effect_work', task_id, effect, tool: name, input, call: toolCallOf(deps, context) };
  const effect_id = effectId(task_id, resumed?.effect ?? effect);
  try {
    return gave(await runFor(deps, tool, { ...params, effect, effect_id }, context));
  } catch (error) {
    if (!(error instanceof ToolAsks)) throw error;
    return { type: 'tool.asked', effect, tool: name, input, ...error.question };
  }
};

/** One of several simultaneous calls. A tool that by now writes or needs approval is not called. */
const callBeside = async (
  deps: EffectDeps,
  call: { effect: number; effect_id: string; tool: string; input: string } & Pick<TaskToolCall, 'item_id' | 'executor'>,
  context: EffectContext,
): Promise<ObservedResult> => {
  const { tool: name } = call;
  const tool = await foundTool(deps, context.task, name);
  const texts = messages(context.task.language).toolCalls;
  if (tool === undefined) return { ok: false, result: texts.unknownTool(name) };
  if (tool.effect === 'transactional' || deps.agentOf(context.task)?.tools.isSideBySide(name) !== true)
    return { ok: false, result: texts.notBesideOthers(name) };
  try {
    return await runFor(deps, tool, call, context);
  } catch (error) {
    if (!(error instanceof ToolAsks)) throw error;
    return { ok: false, result: texts.asksAlone(name) };
  }
};

/**
 * Calls several read-only tools at the same time, each within its own time limit. Their results are one event (SPEC 3).
 * Rejects only when `signal` aborts.
 */
export const callTools = async (
  deps: EffectDeps,
  { effect, params }: Extract<Effect, { type: 'tool.batch' }>,
  context: EffectContext,
): Promise<TaskEvent> => {
  const { calls, item_id, executor } = params;
  const settled = await Promise.allSettled(
    calls.map(({ tool, input }, at) => {
      const effect_id = effectId(context.task.task_id, effect, at);
      const call = { tool, input, item_id, executor, effect, effect_id };
      return context.reportCall(at, call, () => callBeside(deps, call, context));
    }),
  );
  const observations = settled.map((call, at) => {
    if (call.status === 'rejected') throw call.reason;
    const { tool, input } = calls[at]!;
    return observationOf(tool, input, call.value);
  });
  return { type: 'observations.recorded', effect, observations };
};
