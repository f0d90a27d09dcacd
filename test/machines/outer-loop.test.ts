import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

const plan = (task: ReturnType<typeof openTask>) => task.context.plan_items.map(({ step, status }) => [step, status]);

describe('When an item is completed', () => {
  it('an item without a conclusion keeps what was last observed on it', () => {
    const task = openTask().plans('A').acts().observes('3 todos').finishes();
    expect(task.context.past_items[0]?.result).toBe('3 todos');
  });
});

describe('A replan that says replanned', () => {
  it('starts past leading items that repeat completed ones word for word', () => {
    const task = openTask().plans('A', 'B').finishes('a').replans('A', 'B', 'C');
    expect(task.context.current_plan_index).toBe(1);
    expect(plan(task)).toEqual([
      ['A', 'completed'],
      ['B', 'in_progress'],
      ['C', 'not_started'],
    ]);
    expect(task.context.plan_items[0]?.result).toBe('a');
  });

  it('does a repeated item again when it comes after something new', () => {
    const task = openTask().plans('A').finishes().replans('B', 'A');
    expect(plan(task)).toEqual([
      ['B', 'in_progress'],
      ['A', 'not_started'],
    ]);
  });

  describe('of a plan that has a step twice', () => {
    const WATER = ['water', 'wait', 'water'];
    const statuses = (...replan: string[]) => {
      const task = openTask()
        .plans(...WATER)
        .finishes('once')
        .replans('wait', 'water')
        .finishes();
      return plan(task.replans(...replan)).map((item) => item.join(' '));
    };

    it('goes on with the second one, though it has the words of the first', () => {
      expect(statuses('water')).toEqual(['water in_progress']);
      expect(statuses('water', 'rest')).toEqual(['water in_progress', 'rest not_started']);
    });

    it('skips those that are done where the whole plan is listed again', () => {
      expect(statuses(...WATER)).toEqual(['water completed', 'wait completed', 'water in_progress']);
      const task = openTask()
        .plans(...WATER)
        .finishes()
        .replans(...WATER);
      expect(task.context.current_plan_index).toBe(1);
    });

    it('ends', () => {
      const task = openTask()
        .plans(...WATER)
        .finishes()
        .replans('wait', 'water')
        .finishes()
        .replans('water')
        .finishes();
      expect(task.replans('water').events.at(-1)).toMatchObject({ type: 'replan.rejected' });
      expect(task.concludes('Watered twice').state).toBe('done');
    });
  });

  it('is rejected when all of its items were completed already', () => {
    const task = openTask().plans('A', 'B').finishes().replans('A');
    expect(task.events.at(-1)).toMatchObject({
      type: 'replan.rejected',
      reason: 'plan: every item of it is completed already',
    });
    expect(task.state).toBe('replanning');
  });
});

describe('A replan that fails its contract', () => {
  it('counts apart from failed thoughts and tools', () => {
    const task = openTask().plans('A').garbles('bad thought', 2).finishes().garbles('bad replan', 2).replans('B');
    expect(task.state).toBe('thinking');
    expect(task.context).toMatchObject({ replan_failures: 0, consecutive_failures: 0, recent_failures: [] });
  });
});
