import { describe, expect, it } from 'vitest';
import { TaskLimits } from '../../contracts/task-limits.ts';
import { open, step, type Task } from '../../machines/step.ts';
import { createTraceFold } from '../../src/engine/replay/trace-fold.ts';
import { BLOCKED_MS_MAX, cpuMs } from './blocked-for.ts';

const task_id = 'task_1';
const session_id = 's';
const turn_id = 'turn_1';

const list = <T>(length: number, each: (i: number) => T): T[] => Array.from({ length }, (_, i) => each(i));

const opened = (tools: object[] = [{ name: 'todo', writes: true }], of: string[] | null = null) => {
  const executors = [{ name: 'default', tools: of }];
  const limits = TaskLimits.parse({ max_plan_items: 200, max_steps: 1_000, max_total_steps: 1_000 });
  const session = {
    task_id,
    session_id,
    turn_id,
    goal: 'g',
    language: 'en',
    limits,
    confirm_plan: false,
    planning: true,
  };
  return { type: 'task.opened', ...session, catalogue: { tools, executors }, verifies: false, conversation: [] };
};

/** Events as a model's answers make them; each is for the effect that is open. */
const answer = (type: string, more: object) => ({ type, reader: 'strict', ...more });
const planned = (plan: unknown[]) => answer('plan.made', { status: 'planned', plan });
const replanned = (plan: unknown[]) => answer('replan.made', { status: 'replanned', plan, response: null });
const nothing = { current_step: null, next_action: null, question: null, response: null };
const thought = (more: object) => answer('thought.made', { ...nothing, status: 'done', ...more });
const answered = (text: string) => ({ type: 'answer.received', turn_id, text });

/** Most processor time, in milliseconds, that one of the events takes when they are replayed, and what was found different. */
const folded = (events: object[]): { ms: number; message: string | null } => {
  const fold = createTraceFold();
  let task: Task | undefined;
  let ms = 0;
  for (const [i, each] of events.entries()) {
    const isAnswer = 'reader' in each;
    const event = isAnswer ? { ...each, effect_id: task?.context.open_effect_id } : each;
    const head = { v: 1, seq: i + 1, at: '2026-01-01T00:00:00.000Z', session_id, task_id, machine: 'tripact-task@2' };
    const made = task === undefined ? open(event as never) : step(task, event as never);
    const { state, context } = made.task;
    const line = { ...head, event, state, step_count: context.step_count, effects: made.effects };
    let message: string | null = null;
    const took = cpuMs(() => {
      const result = fold.fold(line);
      if (!result.ok) message = result.message;
    });
    ms = Math.max(ms, took);
    if (message !== null) return { ms, message };
    task = made.task;
  }
  return { ms, message: null };
};

const edited = (edits: object[]) => ({ type: 'plan.edited', turn_id, edits });

const name = (i: number): string => `tool${String(i).padStart(6, '0')}`;
const ligatures = '\ufdfa'.repeat(1_900_000);

/** Traces whose events are each within what a line may have (100,000 values, 2 Mi characters) and agree with the machine. */
const traces: Record<string, () => object[]> = {
  'a plan whose 200 items name 64 tools each that a catalogue of 20,000 does not have': () => [
    opened(list(20_000, (i) => ({ name: name(i), writes: true }))),
    planned(list(200, (i) => ({ id: `i${i}`, step: 's', tools: list(64, (k) => name(900_000 + i * 64 + k)) }))),
    thought({}),
  ],
  'an executor with 20,000 tools of a catalogue of as many': () => {
    const tools = list(20_000, name);
    return [
      opened(
        tools.map((tool) => ({ name: tool, writes: true })),
        tools.toReversed(),
      ),
      planned(['a']),
      thought({}),
    ];
  },
  '190 items added to a plan whose catalogue has 20,000 tools': () => [
    opened(list(20_000, (i) => ({ name: name(i), writes: true }))),
    planned(['a']),
    thought({ status: 'ask_user', current_step: 'now', question: 'What?' }),
    edited(list(190, (i) => ({ kind: 'add', step: `${i}` }))),
  ],
  'a plan of 200 items that each wait for 200 that were given up': () => [
    opened(),
    planned(['x']),
    ...list(6, (round) => [
      thought({ outcome: 'blocked' }),
      replanned(list(200, (i) => ({ id: `r${round}i${i}`, step: `${round} ${i}` }))),
    ]).flat(),
    thought({ outcome: 'blocked' }),
    replanned(list(200, (i) => ({ id: `z${i}`, step: `z${i}`, depends_on: list(200, (k) => `r4i${k}`) }))),
  ],
  'an answer that grows when it is normalised, to a question with options': () => [
    opened(),
    planned(['a']),
    thought({ status: 'ask_user', question: 'q', options: list(10, (i) => `${ligatures.slice(0, 19_000)}${i}`) }),
    answered(ligatures),
  ],
};

describe('A trace that somebody made to take long', () => {
  it.each(Object.entries(traces))('replays without holding others up: %s', (_, events) => {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 5 && least > BLOCKED_MS_MAX; tries++) {
      const { ms, message } = folded(events());
      expect(message).toBeNull();
      least = Math.min(least, ms);
    }
    expect(least).toBeLessThan(BLOCKED_MS_MAX);
  });
});

const broken = [1, null, {}, 'x', { name: 1 }, { type: 'model.plan' }];
const first = opened();

/** The first line of a trace, whose lists may have nothing but faults. */
const lineWith = (entries: unknown[]) => {
  const head = { v: 1, seq: 1, at: '2026-01-01T00:00:00.000Z', session_id, task_id, machine: 'tripact-task@2' };
  const { tools, executors } = first.catalogue;
  const of = (catalogue: object, effects: unknown[] = []) => ({
    ...head,
    event: { ...first, catalogue },
    state: 'planning',
    step_count: 0,
    effects,
  });
  const thinks = { effect_id: 'e', type: 'model.thought', params: { item_id: null, may: entries } };
  return {
    tools: of({ tools: entries, executors }),
    executors: of({ tools, executors: entries }),
    "an executor's tools": of({ tools, executors: [{ name: 'default', tools: entries }] }),
    effects: of({ tools, executors }, entries),
    'edits of a plan': { ...of({}), event: { type: 'plan.edited', turn_id: null, edits: entries } },
    'what a thought may say': of({ tools, executors }, [thinks]),
  };
};

describe('a trace whose lists hold 49,000 entries that are none', () => {
  const names = Object.keys(lineWith([]));
  it.each(names)('is refused by the first of them: %s', { retry: 2 }, (name) => {
    for (const entry of broken) {
      const isName = name === "an executor's tools" && typeof entry === 'string';
      if (isName) continue;
      const line = lineWith(list(49_000, () => entry))[name as 'tools'];
      const parts = createTraceFold().foldInParts(line);
      const ms = cpuMs(() => expect(() => [...parts]).toThrow(/^Entry 1 of the trace is not readable: .*\[0\]/s));
      expect(ms).toBeLessThan(BLOCKED_MS_MAX);
    }
  });
});
