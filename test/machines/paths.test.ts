import { describe, expect, it } from 'vitest';
import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { Effect } from '../../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { PauseReason, type TaskSnapshot, TaskState } from '../../contracts/task.ts';
import { brokenInvariant } from '../../machines/invariants.ts';
import { objectionTo } from '../../machines/judge.ts';
import { open, step } from '../../machines/step.ts';
import { taskMachine } from '../../machines/task-machine.ts';
import { opened, written } from '../support/task-driver.ts';

type Snapshot = SnapshotFrom<typeof taskMachine>;

/** Limits so small that the whole machine can be walked, and just large enough that each of its ends can be reached. */
const small: TaskOpened = opened({
  confirm_plan: true,
  verifies: true,
  limits: {
    max_steps: 5,
    max_total_steps: 7,
    failure_limit: 2,
    plan_retries: 1,
    max_questions: 1,
    max_rounds_per_item: 2,
    max_replans: 2,
    verify_limit: 2,
  },
});

/** More states than these limits allow: past it the walk is at fault, not slow. */
const VISITS_MAX = 60_000;

const taskOf = (snapshot: Snapshot): TaskSnapshot => {
  let leaf: unknown = snapshot.value;
  while (typeof leaf === 'object' && leaf !== null) leaf = Object.values(leaf)[0];
  return { state: leaf as TaskState, context: snapshot.context.task };
};

/** The events that make sense where the task is: every kind of outcome once, and what a user may do in between. */
const sensibleEvents = (snapshot: Snapshot): TaskEvent[] => {
  const { state, context } = taskOf(snapshot);
  const effect_id = context.open_effect_id ?? '';
  const read = { effect_id, reader: 'strict' as const };
  const thought = { type: 'thought.made' as const, current_step: 'now', next_action: null, question: null, ...read };
  const cancel: TaskEvent = { type: 'task.cancelled', turn_id: null };
  const steer: TaskEvent[] =
    context.clarification_history.length === 0 ? [{ type: 'steer.received', turn_id: 'turn_1', text: 'Mind the cat' }] : [];
  const offline: TaskEvent = { type: 'model.unavailable', effect_id, reason: 'overloaded' };
  switch (state) {
    case 'planning':
      return [
        { type: 'plan.made', status: 'planned', goal: undefined, plan: written('A'), ...read },
        { type: 'plan.made', status: 'planned', goal: undefined, plan: [], ...read },
        { type: 'plan.rejected', effect_id, reason: 'no JSON' },
        ...steer,
        offline,
        cancel,
      ];
    case 'replanning':
      return [
        { type: 'replan.made', status: 'done', plan: [], response: 'All done', ...read },
        { type: 'replan.made', status: 'replanned', plan: written('B'), response: null, ...read },
        ...context.abandoned_items.slice(0, 1).map(
          (id): TaskEvent => ({
            type: 'replan.made',
            status: 'replanned',
            plan: written({ id: `after ${id}`, step: 'C', depends_on: [id] }),
            response: null,
            ...read,
          }),
        ),
        { type: 'replan.rejected', effect_id, reason: 'no JSON' },
        ...steer,
        { type: 'machine.changed', from: 'task@1', to: 'task@2', reason: 'other effects' },
        cancel,
      ];
    case 'thinking':
      return [
        { ...thought, status: 'continue', next_action: { tool: 'todo', input: 'list' }, response: null },
        { ...thought, status: 'ask_user', question: 'Which day?', response: null },
        { ...thought, status: 'done', response: null },
        { ...thought, status: 'done', response: null, signal: 'replan' },
        { type: 'thought.rejected', effect_id, reason: 'no JSON' },
        ...steer,
        { type: 'quota.exhausted', effect_id, reason: 'no tokens left' },
        cancel,
      ];
    case 'acting':
      return [
        { type: 'observation.recorded', effect_id, tool: 'todo', input: 'list', ok: true, result: 'milk' },
        { type: 'observation.recorded', effect_id, tool: 'todo', input: 'list', ok: false, result: 'no list' },
        ...steer,
        { type: 'effect.abandoned', effect_id, begins: 3 },
        cancel,
      ];
    case 'verifying':
      return [
        { type: 'verification.finished', effect_id, ok: true, output: '' },
        { type: 'verification.finished', effect_id, ok: false, output: '1 test failed' },
        ...steer,
        cancel,
      ];
    case 'awaiting_user':
      return [
        { type: 'answer.received', turn_id: 'turn_2', text: 'yes' },
        { type: 'answer.received', turn_id: 'turn_2', text: 'no' },
        cancel,
      ];
    case 'paused':
      return [
        { type: 'task.resumed', turn_id: 'turn_3' },
        ...(context.needs_replan ? [] : [{ type: 'plan.edited' as const, turn_id: null, edits: [{ kind: 'add' as const, step: 'D' }] }]),
        cancel,
      ];
    case 'done':
    case 'failed':
    case 'cancelled':
      return [{ type: 'result.superseded', effect_id: 'task_1.1', outcome: 'late' }];
    default:
      return state satisfies never;
  }
};

/** All that decides what the task does next; not what it only carries along (texts, tokens, observations, ids of effects). */
const whatDecides = (snapshot: Snapshot): string => {
  const { state, context } = taskOf(snapshot);
  const { usage, observations, recent_failures, notes, effects_requested, open_effect_id, ...rest } = context;
  const { iteration_count, successful_steps, failed_steps, pause_detail, last_thought_snapshot, ...decides } = rest;
  const { clarification_history, completed_items, abandoned_items, items_numbered, ...counters } = decides;
  return JSON.stringify([state, counters, clarification_history.length === 0, completed_items.length, abandoned_items.length]);
};
const t0 = performance.now();
const paths = getShortestPaths(taskMachine, {
  input: small,
  events: sensibleEvents,
  filterEvents: (snapshot, event) => objectionTo(taskOf(snapshot), event) === null,
  serializeState: whatDecides,
  limit: VISITS_MAX,
});
console.log(paths.length, performance.now() - t0, paths.reduce((a, p) => a + p.steps.length, 0));
describe('x', () => { it('y', () => {
  const seen = new Set(paths.map((p) => taskOf(p.state).state + (taskOf(p.state).context.pause_reason ?? '')));
  console.log([...seen]);
  expect(PauseReason.options.length).toBeGreaterThan(0); void [initialTransition, transition, Effect, brokenInvariant, open, step];
}); });
