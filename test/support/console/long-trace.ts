import { type Effect, type TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import { TaskLimits } from '../../../contracts/task.ts';
import { type TaskTraceEntry, TRACE_VERSION } from '../../../contracts/trace.ts';
import { open, type Step, step } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';

const ITEMS = 8;
const ROUNDS = 6;

const opened = TaskOpened.parse({
  type: 'task.opened',
  task_id: 'task_long',
  session_id: 'long',
  turn_id: 'turn_1',
  goal: 'Walk through the whole archive',
  language: 'en',
  limits: TaskLimits.parse({ max_steps: 5_000, max_total_steps: 100_000, max_replans: 10_000 }),
  catalogue: {
    tools: [{ name: 'todo', writes: true }],
    executors: [{ name: 'default', tools: null }],
  },
  confirm_plan: false,
  verifies: false,
});

const thought = { current_step: 'read on', next_action: null, question: null, response: null };

/** The outcome of an effect; `number` is that of the entry, and makes some of them fail. */
const outcomeOf = (effect: Effect, number: number): TaskEvent => {
  const read = {
    effect: effect.effect,
    usage: { input_tokens: 900, output_tokens: 60 },
    reader: 'strict' as const,
  };
  switch (effect.type) {
    case 'model.plan':
      return {
        ...read,
        type: 'plan.made',
        status: 'planned',
        plan: Array.from({ length: ITEMS }, (_, i) => `Shelf ${i}`),
      };
    case 'model.thought':
      if (number % 97 === 0) return { ...read, type: 'thought.rejected', reason: 'It is no JSON.' };
      if (number % (2 * ROUNDS) < 2)
        return { ...read, ...thought, type: 'thought.made', status: 'done', response: 'Read.' };
      return {
        ...read,
        ...thought,
        type: 'thought.made',
        status: 'continue',
        next_action: {
          tool: 'todo',
          input: `add the book ${number}, which is about the history of shelf ${number % 50}`,
        },
      };
    case 'tool.call':
      return {
        type: 'observation.recorded',
        effect: effect.effect,
        tool: effect.params.tool,
        input: effect.params.input,
        ok: number % 41 !== 0,
        result: `Book ${number} is on the list. ${'It has many pages. '.repeat(5)}`,
      };
    case 'model.replan':
      return {
        ...read,
        type: 'replan.made',
        status: 'replanned',
        plan: [`Shelf ${number}`],
        response: null,
      };
    case 'verify.run':
      return { type: 'verification.finished', effect: effect.effect, ok: true, output: '' };
    default:
      return effect satisfies never;
  }
};

const nextEvent = ({ task, effects: [effect] }: Step, number: number): TaskEvent => {
  if (effect !== undefined) return outcomeOf(effect, number);
  if (task.state === 'paused') return { type: 'task.resumed', turn_id: `turn_${number}` };
  return { type: 'answer.received', turn_id: `turn_${number}`, text: 'Go on.' };
};

/** The trace of one task with so many entries, which replays: plans, rounds, failures, questions, pauses and replans. */
export function* longTrace(entries: number): Generator<TaskTraceEntry> {
  let event: TaskTraceEntry['event'] = opened;
  let made = open(opened);
  for (let seq = 1; seq <= entries; seq++) {
    yield {
      v: TRACE_VERSION,
      seq,
      at: new Date(Date.UTC(2026, 0, 5, 9) + seq * 1_000).toISOString(),
      session_id: opened.session_id,
      machine: MACHINE,
      task_id: opened.task_id,
      event,
      state: made.task.state,
      step_count: made.task.context.step_count,
      effects: made.effects,
    };
    const next = nextEvent(made, seq);
    event = next;
    made = step(made.task, next);
  }
}
