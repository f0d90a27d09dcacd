import { type TaskContext, TaskLimits } from '../../../contracts/task.ts';
import { initialContext } from '../../../machines/context.ts';
import { createAnthropicModel } from '../../../src/models/anthropic/anthropic.ts';
import type { ServerModelOptions } from '../../../src/models/asking/retry.ts';
import type { Model, ModelRequest } from '../../../src/models/port.ts';

/** A key that must appear nowhere but in the request's header. */
export const SECRET_KEY = 'local-key-very-secret';

/** A logged line: its fields, including the message. */
export type LoggedLine = Record<string, unknown> & { message: string };

export interface ModelUnderTest {
  model: Model;
  logged: LoggedLine[];
  /** The requested pauses, in milliseconds; none really takes time. */
  waits: number[];
}

/** The real adapter on the real SDK, against `url`, with pauses that take no time and without jitter. */
export function modelAgainst(url: string, options: Partial<ServerModelOptions> = {}): ModelUnderTest {
  const logged: LoggedLine[] = [];
  const waits: number[] = [];
  const model = createAnthropicModel({
    model: 'test-model',
    apiKey: SECRET_KEY,
    baseURL: url,
    timeoutMs: 20_000,
    log: { warn: (fields, message) => logged.push({ ...fields, message }) },
    random: () => 0,
    wait: async (ms) => {
      waits.push(ms);
    },
    ...options,
  });
  return { model, logged, waits };
}

/** A request for one contract of a task with `observations` observations. */
export function modelRequest(contract: ModelRequest['contract'], observations = 0): ModelRequest {
  return {
    contract,
    effect_id: 'task_1.1',
    task: { ...task, observations: Array.from({ length: observations }, () => observation) },
    item_id: null,
    may: contract === 'thought' ? ['continue', 'ask_user', 'done'] : [],
    tools: [],
    executors: [],
    instructions: null,
    now: Date.UTC(2026, 0, 5, 12),
    timezone: 'UTC',
  };
}

const observation = {
  item_id: null,
  source: 'tool' as const,
  tool: 'todo',
  input: 'list',
  ok: true,
  result: 'nothing to do',
};

const limits = TaskLimits.parse({});

const task: TaskContext = {
  ...initialContext({
    type: 'task.opened',
    task_id: 'task_1',
    session_id: 'session',
    turn_id: 'turn_1',
    goal: 'water the plants',
    language: 'en',
    limits,
    catalogue: { tools: [], executors: [{ name: 'default', tools: null }] },
    confirm_plan: false,
    planning: true,
    verifies: false,
    conversation: [],
  }),
  plan_initialized: true,
  effects_requested: 1,
};
