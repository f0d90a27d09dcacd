import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../contracts/event.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { brokenInvariant } from '../../machines/laws.ts';
import { EventNotAccepted, step } from '../../machines/step.ts';
import { openTask } from '../support/machine/task-driver.ts';

const thought = {
  type: 'thought.made',
  effect: 2,
  current_step: 'now',
  next_action: null,
  question: null,
  response: null,
  reader: 'strict',
} as const;

describe('step', () => {
  it('refuses the outcome of an effect that is not open, by name', () => {
    const { task } = openTask().plans('A');
    expect(() => step(task, { ...thought, effect: 1, status: 'done' })).toThrow(
      new EventNotAccepted("Task in 'thinking' does not accept 'thought.made': effect 1 is not the open one (2)"),
    );
  });

  it('refuses an outcome of another kind than what is open', () => {
    const { task } = openTask().plans('A');
    expect(() => step(task, { type: 'replan.rejected', effect: 2, reason: 'no JSON' })).toThrow(EventNotAccepted);
  });

  it.each([
    ['continue without an action', { ...thought, status: 'continue' }],
    ['ask_user without a question', { ...thought, status: 'ask_user' }],
    [
      'a tool that the item does not have',
      { ...thought, status: 'continue', next_action: { tool: 'shell', input: 'ls' } },
    ],
  ] as [string, TaskEvent][])('refuses a thought that should have been rejected: %s', (_, event) => {
    expect(() => step(openTask().plans('A').task, event)).toThrow(EventNotAccepted);
  });

  it.each([
    ['done without a response', { status: 'done', plan: [], response: null }],
    ['replanned without a plan', { status: 'replanned', plan: [], response: null }],
  ] as const)('refuses a replan that should have been rejected: %s', (_, { status, plan, response }) => {
    const { task } = openTask().plans('A').finishes();
    const event: TaskEvent = {
      type: 'replan.made',
      effect: 3,
      reader: 'strict',
      status,
      plan: [...plan],
      response,
    };
    expect(() => step(task, event)).toThrow(EventNotAccepted);
  });

  it('refuses an observation of another action than the open one', () => {
    const { task } = openTask().plans('A').acts('list');
    const other = { type: 'observation.recorded', effect: 3, tool: 'todo', input: 'delete 1' } as const;
    expect(() => step(task, { ...other, ok: true, result: 'gone' })).toThrow('the open action is todo -> list');
  });
});

describe('The invariants', () => {
  const { state, context } = openTask().plans('A', 'B').task;
  const waiting = { item: context.plan_items[0]! };

  it.each([
    ['current_plan_index is inside the plan', { current_plan_index: 3 }],
    ['awaiting_clarification holds exactly in awaiting_user', { awaiting_clarification: true }],
    ['an effect is open exactly outside settled states', { open_effect: null }],
    ['step_count is at most one above step_limit', { step_count: 62 }],
    ['pause_reason is set exactly in paused', { pause_reason: 'deadlock' }],
    ['item ids are unique', { plan_items: [waiting.item, waiting.item] }],
    ['dependencies exist', { plan_items: [{ ...waiting.item, depends_on: ['z'] }] }],
  ] as const)('name what is broken: %s', (law, change) => {
    expect(brokenInvariant({ state, context })).toBe(null);
    expect(brokenInvariant({ state, context: { ...context, ...change } as TaskContext })).toBe(law);
  });

  it('name a replan that was not asked for', () => {
    expect(brokenInvariant({ state: 'replanning', context })).toBe('replan is requested only while needs_replan');
  });
});
