import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../contracts/event.ts';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

const unfinished: [string, () => DrivenTask][] = [
  ['planning', () => openTask()],
  ['thinking', () => openTask().plans('A')],
  ['acting', () => openTask().plans('A').acts()],
  ['replanning', () => openTask().plans('A').finishes()],
  ['verifying', () => openTask({ verifies: true }).plans('A').acts().observes('ok').finishes().concludes('Done')],
  ['awaiting_user', () => openTask().plans('A').asks('Which day?')],
  ['paused', () => openTask().plans('A').losesModel()],
];

const finished: [string, () => DrivenTask][] = [
  ['done', () => openTask().plans().finishes().concludes('Hello')],
  [
    'failed',
    () =>
      openTask({ limits: { max_steps: 1, max_total_steps: 1 } })
        .plans('A')
        .garbles(),
  ],
  ['cancelled', () => openTask().plans('A').cancels()],
];

describe.each(unfinished)('A task in %s', (state, begin) => {
  it('is cancelled at once, with no effect left open', () => {
    const task = begin();
    expect(task.state).toBe(state);
    const { plan_items, step_count } = task.context;
    expect(task.cancels().state).toBe('cancelled');
    expect(task.effects).toEqual([]);
    expect(task.context).toMatchObject({
      plan_items,
      step_count,
      open_effect: null,
      awaiting_clarification: false,
      awaiting: null,
      pause_reason: null,
    });
  });

  it('has a late result written down as superseded, which changes nothing', () => {
    const task = begin();
    const before = { state: task.state, context: task.context };
    task.send({ type: 'result.superseded', effect: 0, outcome: 'late' });
    expect({ state: task.state, context: task.context }).toEqual(before);
    expect(task.effects).toEqual([]);
  });
});

describe.each(finished)('A task that is %s', (state, begin) => {
  const events: TaskEvent[] = [
    { type: 'task.cancelled', turn_id: null },
    { type: 'task.resumed', turn_id: 'turn_1' },
    { type: 'answer.received', turn_id: 'turn_1', text: 'Monday' },
    { type: 'steer.received', turn_id: 'turn_1', text: 'Mind the cat' },
    { type: 'plan.edited', turn_id: 'turn_1', edits: [{ kind: 'add', step: 'B' }] },
    { type: 'machine.changed', from: 'task@1', to: 'task@2', reason: 'other effects' },
    { type: 'thought.rejected', effect: 2, reason: 'late' },
  ];

  it.each(events)('does not accept $type, and stays as it was', (event) => {
    const task = begin();
    const before = { state: task.state, context: task.context };
    expect(before.state).toBe(state);
    expect(() => task.send(event)).toThrow(`Task in '${state}' does not accept '${event.type}'`);
    expect({ state: task.state, context: task.context }).toEqual(before);
  });

  it('has a late result written down as superseded, which changes nothing', () => {
    const task = begin();
    const before = { state: task.state, context: task.context };
    task.send({ type: 'result.superseded', effect: 2, outcome: 'late' });
    expect({ state: task.state, context: task.context }).toEqual(before);
  });
});

describe('A cancelled task', () => {
  it('does not take the outcome of the effect that was open', () => {
    const task = openTask().plans('A').acts();
    const effect = task.context.open_effect!;
    task.cancels();
    const late: TaskEvent = {
      type: 'observation.recorded',
      effect,
      tool: 'todo',
      input: 'list',
      ok: true,
      result: 'x',
    };
    expect(() => task.send(late)).toThrow('does not accept');
    expect(task.context.step_count).toBe(1);
  });
});
