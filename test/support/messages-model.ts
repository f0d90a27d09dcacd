import { TaskLimits } from '../../contracts/limits.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { createAnthropicClient } from '../../src/models/anthropic/client.ts';
import { type AnthropicModelOptions, createAnthropicModel } from '../../src/models/anthropic/model.ts';
import type { Model, ModelRequest } from '../../src/models/port.ts';

/** A key that must show up nowhere but in the request's header. */
export const SECRET_KEY = 'local-key-very-secret';

/** What was logged: the fields with the message among them. */
export type LoggedLine = Record<string, unknown> & { message: string };

export interface ModelUnderTest {
  model: Model;
  logged: LoggedLine[];
  /** The pauses asked for, in milliseconds; none is really waited. */
  waits: number[];
}

/** The real adapter on the real SDK, against `url`, with pauses that take no time and no jitter. */
export function modelAgainst(
  url: string,
  options: Partial<AnthropicModelOptions> & { apiKey?: string } = {},
): ModelUnderTest {
  const { apiKey = SECRET_KEY, ...rest } = options;
  const logged: LoggedLine[] = [];
  const waits: number[] = [];
  const model = createAnthropicModel({
    model: 'test-model',
    client: createAnthropicClient({ apiKey, baseURL: url }),
    prompt: ({ contract, task }, { dropObservations = 0 } = {}) => ({
      system: `Contract: ${contract}\nSay JSON.`,
      messages: [
        { role: 'user', content: task.goal },
        { role: 'assistant', content: '{}' },
        { role: 'user', content: `observations: ${task.observations.length - dropObservations}` },
      ],
    }),
    timeoutMs: 20_000,
    log: { warn: (fields, message) => logged.push({ ...fields, message }) },
    random: () => 0,
    wait: async (ms) => {
      waits.push(ms);
    },
    ...rest,
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
  task_id: 'task_1',
  session_id: 'session',
  goal: 'water the plants',
  language: 'en',
  limits,
  catalogue: { tools: [], executors: [{ name: 'default', tools: null }] },
  confirm_plan: false,
  verifies: false,
  plan_initialized: true,
  plan_items: [],
  completed_items: [],
  abandoned_items: [],
  current_plan_index: 0,
  awaiting_clarification: false,
  awaiting: null,
  needs_replan: false,
  steered: false,
  last_thought_snapshot: null,
  observations: [],
  step_count: 0,
  step_limit: limits.max_steps,
  successful_steps: 0,
  failed_steps: 0,
  consecutive_failures: 0,
  recent_failures: [],
  clarification_history: [],
  last_ask_user_question: null,
  pending_final_response: null,
  pause_reason: null,
  pause_detail: null,
  usage: { input_tokens: 0, output_tokens: 0 },
  plan_failures: 0,
  replan_failures: 0,
  replans: 0,
  deadlocks_in_a_row: 0,
  verify_failures: 0,
  questions_asked: 0,
  iteration_count: 0,
  rounds: 0,
  rounds_item_id: null,
  repeats: 0,
  wrote: false,
  notes: [],
  effects_requested: 1,
  open_effect_id: null,
  items_numbered: 0,
};
