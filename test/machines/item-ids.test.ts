import { describe, expect, it } from 'vitest';
import { allItems, itemCounts } from '../../src/projections/items.ts';
import { openTask } from '../support/machine/task-driver.ts';

const item = (id: string, step: string, ...depends_on: string[]) => ({ id, step, depends_on });

/** The items as a user sees them. */
const shown = ({ context }: { context: Parameters<typeof allItems>[0] }) =>
  allItems(context).map(({ id, step, status }) => [id, step, status]);

describe('A model that numbers every plan from 1', () => {
  it('hides nothing that ended: each item has its own id in the task', () => {
    const task = openTask().plans(item('1', 'A')).finishes().replans(item('1', 'B')).finishes().replans(item('1', 'C'));
    expect(shown(task)).toEqual([
      ['1', 'A', 'completed'],
      ['2', 'B', 'completed'],
      ['3', 'C', 'in_progress'],
    ]);
    expect(itemCounts(task.context)).toEqual({ done: 2, ended: 2, total: 3 });
  });

  it('leaves a blocked item in view when its number is planned again', () => {
    const task = openTask().plans(item('1', 'A')).blocks().replans(item('1', 'B'));
    expect(shown(task)).toEqual([
      ['1', 'A', 'blocked'],
      ['2', 'B', 'in_progress'],
    ]);
  });

  it('means by a dependency its own item first', () => {
    const task = openTask()
      .plans(item('1', 'A'))
      .finishes()
      .replans(item('1', 'B', '2'), item('2', 'C'));
    expect(task.item).toMatchObject({ step: 'C' });
    expect(task.finishes().replans(item('1', 'B')).item).toMatchObject({ step: 'B' });
  });

  it('means by another one the newest that ended: nothing runs on an older one of that number', () => {
    const task = openTask()
      .plans(item('1', 'A'))
      .finishes()
      .replans(item('1', 'B'))
      .blocks()
      .replans(item('2', 'C', '1'));
    expect(task.state).toBe('replanning');
    expect(shown(task).at(-1)).toEqual(['3', 'C', 'blocked']);
  });
});

describe('An id of an answer', () => {
  it('with the same step is the same item', () => {
    const task = openTask().plans(item('a', 'A'), item('b', 'B')).finishes().replans(item('b', 'B'));
    expect(task.item).toMatchObject({ id: 'b', step: 'B' });
    task.blocks().replans(item('b', 'B'));
    expect(shown(task)).toEqual([
      ['a', 'A', 'completed'],
      ['b', 'B', 'in_progress'],
    ]);
  });

  it('with another step is a new item, named after it', () => {
    const task = openTask()
      .plans(item('build', 'A'))
      .finishes()
      .replans(item('build', 'B'), item('test', 'C', 'build'));
    expect(task.context.plan_items).toMatchObject([
      { id: 'build-2', step: 'B' },
      { id: 'test', depends_on: ['build-2'] },
    ]);
  });

  it('that another step has is the open item with its own step', () => {
    const task = openTask()
      .plans(item('1', 'A'), item('2', 'B'), item('3', 'C'))
      .finishes()
      .replans(item('1', 'B'), item('2', 'C'));
    expect(shown(task)).toEqual([
      ['1', 'A', 'completed'],
      ['2', 'B', 'in_progress'],
      ['3', 'C', 'not_started'],
    ]);
  });
});
