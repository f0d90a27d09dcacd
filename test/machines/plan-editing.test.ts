import { describe, expect, it } from 'vitest';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

const waiting = () => openTask().plans('A', 'B', 'C').asks('Which day?');
const plan = (task: DrivenTask) => task.context.plan_items.map(({ step, status }) => `${step} ${status}`);

describe('An edit', () => {
  it('adds a step at the end, or at the given place', () => {
    const task = waiting().edits({ kind: 'add', step: 'D' }, { kind: 'add', step: 'First', index: 0 });
    expect(plan(task)).toEqual([
      'First not_started',
      'A in_progress',
      'B not_started',
      'C not_started',
      'D not_started',
    ]);
    expect(new Set(task.context.plan_items.map(({ id }) => id)).size).toBe(5);
  });

  it('gives an added step its own id, also next to ids that the model chose', () => {
    const task = openTask().plans({ id: '1', step: 'A' }, { id: '2', step: 'B' }).asks('Which day?');
    task.edits({ kind: 'add', step: 'A' }, { kind: 'add', step: 'B' });
    expect(task.context.plan_items.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  });

  it('gives an added step to the executor of its tag', () => {
    expect(waiting().edits({ kind: 'add', step: '[code] Fix it' }).context.plan_items.at(-1)?.executor).toBe(
      'coding_agent',
    );
  });

  it('drops a step, which then satisfies no dependency', () => {
    const task = waiting().edits({ kind: 'drop', index: 1 });
    expect(plan(task)[1]).toBe('B dropped');
    task.answers('Monday').replans({ id: 'x', step: 'X', depends_on: ['2'] });
    expect(task.context.observations.at(-1)?.source).toBe('deadlock');
  });

  it('moves a step, and the item being worked on stays the current one', () => {
    const task = waiting().edits({ kind: 'move', from: 2, to: 0 });
    expect(plan(task)).toEqual(['C not_started', 'A in_progress', 'B not_started']);
    expect(task.item?.step).toBe('A');
  });

  it('marks a step completed, which then satisfies dependencies', () => {
    const task = waiting().edits({ kind: 'mark', index: 1, status: 'completed' });
    expect(task.context.past_items.map(({ step }) => step)).toEqual(['B']);
    expect(task.answers('Monday').replans({ id: 'x', step: 'X', depends_on: ['2'] }).item?.id).toBe('x');
  });

  it('marks a completed step to be done again, which is then no longer skipped or depended on as done', () => {
    const task = openTask().plans('A', 'B').finishes().replans('A', 'B').asks('Which day?');
    task.edits({ kind: 'mark', index: 0, status: 'not_started' });
    expect(plan(task)).toEqual(['A not_started', 'B in_progress']);
    expect(task.context.past_items).toEqual([]);
    expect(task.answers('Monday').replans('A', 'B').item).toMatchObject({ step: 'A', status: 'in_progress' });
  });

  it('leaves the question to be answered, and a plan edited before yes is replanned', () => {
    const task = openTask({ confirm_plan: true }).plans('A').edits({ kind: 'add', step: 'B' });
    expect(task.state).toBe('awaiting_user');
    expect(task.answers('yes').state).toBe('replanning');
  });
});

describe('An edit is not accepted', () => {
  it.each([
    ['a step that is not there', { kind: 'drop', index: 3 } as const],
    ['a move from where nothing is', { kind: 'move', from: 3, to: 0 } as const],
    ['a move to where nothing is', { kind: 'move', from: 0, to: 3 } as const],
    ['a mark on a step that is not there', { kind: 'mark', index: 3, status: 'completed' } as const],
  ])('for %s', (_, edit) => {
    expect(() => waiting().edits(edit)).toThrow('no such plan item');
  });

  it('when one of several cannot be made: none is', () => {
    const task = waiting();
    expect(() => task.edits({ kind: 'drop', index: 0 }, { kind: 'drop', index: 9 })).toThrow('no such plan item');
    expect(plan(task)[0]).toBe('A in_progress');
  });

  it('before there is a plan: planning would pass it over', () => {
    expect(() => openTask().losesModel().edits({ kind: 'add', step: 'B' })).toThrow('the task has no plan yet');
  });

  it('while the task runs', () => {
    expect(() => openTask().plans('A').edits({ kind: 'drop', index: 0 })).toThrow("Task in 'thinking' does not accept");
  });
});
