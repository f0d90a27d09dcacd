import { describe, expect, it } from 'vitest';
import { planItems } from '../../machines/plan-items.ts';
import { openTask, type WrittenItem, written } from '../support/machine/task-driver.ts';

const { context } = openTask();

const planned = (items: WrittenItem[], around = context) => {
  const result = planItems(written(...items), around);
  if (!result.ok) throw new Error(result.reason);
  return result;
};
const ids = (items: WrittenItem[], around = context) => planned(items, around).items.map(({ id }) => id);
const executors = (...items: WrittenItem[]) => planned(items).items.map(({ executor }) => executor);

describe('Ids', () => {
  it('are numbers for bare steps, in plan order', () => {
    expect(ids(['A', 'B'])).toEqual(['1', '2']);
  });

  it('are what the model gave, and numbers go round them', () => {
    expect(ids(['A', { id: '1', step: 'B' }, 'C', { id: 7, step: 'D' }])).toEqual(['2', '1', '3', '7']);
  });
});

describe('Executors', () => {
  it('are named by a tag at the start of the step, in any case', () => {
    expect(executors('[CODE] Fix it', '[code] Fix it', '[Default] Ask', '[coding_agent] Fix it')).toEqual([
      'coding_agent',
      'coding_agent',
      'default',
      'coding_agent',
    ]);
  });

  it('are no matter of a tag in mid-step', () => {
    expect(executors('Fix [CODE] it', 'Write it')).toEqual(['default', 'default']);
  });

  it('are named by the item itself before any tag', () => {
    expect(executors({ id: 'a', step: '[CODE] Read it', executor: 'default' })).toEqual(['default']);
  });
});

describe('A plan that is too long', () => {
  const short = openTask({ limits: { max_plan_items: 3 } }).context;
  const item = (id: string, ...depends_on: string[]) => ({ id, step: id, depends_on });

  it('has space for what it repeats of work that is done: only what is still to do counts', () => {
    const later = openTask().plans('A', 'B').finishes().context;
    const long = Array.from({ length: 12 }, (_, i) => `step ${i}`);
    const { items, notes } = planned(['A', ...long], later);
    expect(items).toHaveLength(13);
    expect(notes).toEqual([]);
  });

  it('keeps what the kept items depend on, though it comes later', () => {
    expect(ids([item('a', 'e'), item('b', 'd'), item('c'), item('d'), item('e')], short)).toEqual(['b', 'c', 'd']);
  });
});

describe('Dependencies', () => {
  it('may name an earlier item whatever became of it', () => {
    const task = openTask().plans('A', 'B', 'C').finishes().replans('D').blocks();
    for (const id of ['1', '2', '3', '4'])
      expect(planItems(written({ id: 'x', step: 'X', depends_on: [id] }), task.context).ok).toBe(true);
    expect(planItems(written({ id: 'x', step: 'X', depends_on: ['5'] }), task.context).ok).toBe(false);
  });
});
