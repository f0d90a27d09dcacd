import type { Logger } from 'pino';
import type { Effect } from '../../contracts/effect.ts';
import type { TaskEvent } from '../../contracts/event.ts';
import { EFFECT_BEGINS_MAX, OBSERVATION_CHARS_MAX } from '../../contracts/limits.ts';
import { ToolResult } from '../../contracts/observation.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { allowedTools } from '../../machines/current-item.ts';
import { cutText } from '../../machines/cut-text.ts';
import { parseModelReply } from '../model-reply/parse-model-reply.ts';
import { type Model, ModelUnavailable } from '../models/port.ts';
import type { Asking } from '../owner-data/port.ts';
import type { OutsideTool, TaskToolCall } from '../tools/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Outcome } from './session-head.ts';

/** Who an effect is performed for. */
export interface Performance {
  owner: string;
  session_id: string;
  timezone: string;
  task: TaskContext;
  /** The effect was open when this process started, so another may have begun it. */
  isRecovered: boolean;
  /** Times it was begun without an outcome, this one included. */
  begins: number;
  signal: AbortSignal;
}

/** Runs what should hold before an answer goes out; the output is for the replan that sees a failure. */
export type Verifier = (check: {
  session_id: string;
  task_id: string;
  workspace: string;
  signal: AbortSignal;
}) => Promise<{ ok: boolean; output: string }>;

/** What performing needs of the world. */
export interface World {
  model: Model;
  tools: ToolRegistry;
  verifiers: Verifier[];
  toolTimeoutMs: number;
  /** The session's folder, made when it is first asked for. */
  workspaceOf(owner: string, sessionId: string): string;
  now(): number;
  log: Logger;
}

/** A world, and what answers the questions of transactional tools inside the commit. */
export interface EngineWorld extends World {
  answer<Result>(work: Asking<Result>): Result;
}

const CONTRACTS = { 'model.plan': 'plan', 'model.thought': 'thought', 'model.replan': 'replan' } as const;

const askModel = async (
  world: World,
  effect: Extract<Effect, { type: keyof typeof CONTRACTS }>,
  { task, timezone, signal }: Performance,
): Promise<TaskEvent> => {
  const contract = CONTRACTS[effect.type];
  const { effect_id } = effect;
  const allowed = effect.type === 'model.thought' ? allowedTools(task) : task.catalogue.tools.map(({ name }) => name);
  try {
    const reply = await world.model.answer(
      {
        contract,
        effect_id,
        task,
        item_id: effect.type === 'model.thought' ? effect.params.item_id : null,
        may: effect.type === 'model.thought' ? effect.params.may : [],
        tools: world.tools.usage(allowed),
        executors: world.tools.executors,
        now: world.now(),
        timezone,
      },
      signal,
    );
    return parseModelReply(contract, task, effect_id, reply);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ModelUnavailable) return { type: 'model.unavailable', effect_id, reason: error.message };
    world.log.error({ err: error, task_id: task.task_id, effect_id }, 'the model adapter failed');
    return { type: 'model.unavailable', effect_id, reason: 'the model adapter failed; see the log' };
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
    const unknown = tool.effect === 'at_most_once' ? '; outcome unknown, it may have taken effect' : '';
    return { ok: false, result: `${tool.name} did not finish within ${timeoutMs} ms${unknown}` };
  } finally {
    clearTimeout(deadline);
    call.signal.removeEventListener('abort', stop);
  }
};

const callTool = async (
  world: EngineWorld,
  { effect_id, params }: Extract<Effect, { type: 'tool.call' }>,
  performance: Performance,
): Promise<Outcome> => {
  const { task, owner, session_id, timezone, signal, isRecovered } = performance;
  const { tool: name, input, item_id, executor } = params;
  const observed = ({ ok, result }: ToolResult): TaskEvent => ({
    type: 'observation.recorded',
    effect_id,
    tool: name,
    input,
    ok,
    result: cutText(result, OBSERVATION_CHARS_MAX),
  });
  const tool = world.tools.get(name);
  const item = task.plan_items.find(({ id }) => id === item_id);
  if (tool === undefined) return { event: observed({ ok: false, result: `the tool "${name}" is not there any more` }) };
  const call = { owner, session_id, timezone, language: task.language, now: world.now() };
  if (tool.effect === 'transactional')
    return {
      inside: () => observed(world.answer(tool.run(input, { ...call, now: world.now() }))),
      failed: (error) => {
        world.log.error({ err: error, task_id: task.task_id, effect_id }, 'a transactional tool threw');
        return observed({ ok: false, result: `${name} failed, and changed nothing: ${messageOf(error)}` });
      },
    };
  if (isRecovered && tool.effect === 'at_most_once')
    return {
      event: observed({
        ok: false,
        result:
          'outcome unknown: the service stopped while this ran, and it is never run twice; check before doing it again',
      }),
    };
  const result = await runOutside(
    tool,
    input,
    {
      ...call,
      task_id: task.task_id,
      effect_id,
      item_id,
      executor,
      expected: item === undefined ? null : (item.expected ?? item.step),
      clarifications: task.clarification_history.map(({ text }) => text),
      signal,
    },
    () => world.workspaceOf(owner, session_id),
    tool.timeoutMs ?? world.toolTimeoutMs,
  );
  return { event: observed(result) };
};

const verify = async (world: World, effect_id: string, performance: Performance): Promise<TaskEvent> => {
  const { owner, session_id, task, signal } = performance;
  const finished = (ok: boolean, output: string): TaskEvent => ({
    type: 'verification.finished',
    effect_id,
    ok,
    output: cutText(output, OBSERVATION_CHARS_MAX),
  });
  const outputs: string[] = [];
  try {
    const workspace = world.workspaceOf(owner, session_id);
    for (const verifier of world.verifiers) {
      const { ok, output } = await verifier({ session_id, task_id: task.task_id, workspace, signal });
      outputs.push(output);
      if (!ok) return finished(false, output);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return finished(false, `the verifier failed: ${messageOf(error)}`);
  }
  return finished(true, outputs.join('\n'));
};

/**
 * Performs one effect and gives its outcome. Commits nothing. Rejects only when `signal` aborts: every other failure is an
 * outcome. A transactional tool is not run here but handed back, to run inside the commit (SPEC 7).
 */
export const performEffect = async (world: EngineWorld, effect: Effect, performance: Performance): Promise<Outcome> => {
  const { effect_id } = effect;
  if (performance.begins > EFFECT_BEGINS_MAX)
    return { event: { type: 'effect.abandoned', effect_id, begins: EFFECT_BEGINS_MAX } };
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan':
      return { event: await askModel(world, effect, performance) };
    case 'tool.call':
      return callTool(world, effect, performance);
    case 'verify.run':
      return { event: await verify(world, effect_id, performance) };
    default:
      return effect satisfies never;
  }
};
