import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

const plan = (task: ReturnType<typeof openTask>) => task.context.plan_items.map(({ step, status }) => [step, status]);

describe('When an item is completed', () => {
  it('a replan runs, and sees the item with its conclusion', () => {
    const task = openTask().plans('A', 'B').finishes('A went well');
    expect(task.state).toBe('replanning');
    expect(task.effects).toMatchObject([{ type: 'model.replan', params: { attempt: 1 } }]);
    expect(task.context.past_items).toMatchObject([{ step: 'A', status: 'completed', result: 'A went well' }]);
  });

  it('an item without a conclusion keeps what was last observed on it', () => {
    const task = openTask().plans('A').acts().observes('3 todos').finishes();
    expect(task.context.past_items[0]?.result).toBe('3 todos');
  });
});

describe('A replan that says replanned', () => {
  it('replaces the whole plan, starts at its beginning and ends', () => {
    const task = openTask().plans('A', 'B', 'C').finishes().replans('D', 'E');
    expect(plan(task)).toEqual([
      ['D', 'in_progress'],
      ['E', 'not_started'],
    ]);
    expect(task.context).toMatchObject({ current_plan_index: 0, needs_replan: false });
  });

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

  it('is rejected when all of its items were completed already', () => {
    const task = openTask().plans('A', 'B').finishes().replans('A');
    expect(task.events.at(-1)).toMatchObject({
      type: 'replan.rejected',
      reason: 'plan: every item of it is completed already',
    });
    expect(task.state).toBe('replanning');
  });
});

describe('A replan that says done', () => {
  it('ends the task with its response, and drops the items left over', () => {
    const task = openTask().plans('A', 'B', 'C').finishes().concludes('Nothing else is needed');
    expect(task.state).toBe('done');
    expect(task.context).toMatchObject({ pending_final_response: 'Nothing else is needed', needs_replan: false });
    expect(plan(task)).toEqual([
      ['A', 'completed'],
      ['B', 'dropped'],
      ['C', 'dropped'],
    ]);
    expect(task.effects).toEqual([]);
  });
});

describe('A replan that fails its contract', () => {
  it('is asked for again, saying which attempt it is, and uses budget', () => {
    const task = openTask().plans('A').finishes().garbles();
    expect(task.effects).toMatchObject([{ type: 'model.replan', params: { attempt: 2 } }]);
    expect(task.context.step_count).toBe(2);
  });

  it('pauses the task after failure_limit times in a row, saying why', () => {
    const task = openTask({ limits: { failure_limit: 3 } })
      .plans('A')
      .finishes()
      .garbles('no JSON', 2);
    expect(task.state).toBe('replanning');
    task.garbles('still no JSON');
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason: 'contract_failure', pause_detail: 'still no JSON' });
  });

  it('counts apart from failed thoughts and tools', () => {
    const task = openTask().plans('A').garbles('bad thought', 2).finishes().garbles('bad replan', 2).replans('B');
    expect(task.state).toBe('thinking');
    expect(task.context).toMatchObject({ replan_failures: 0, consecutive_failures: 0, recent_failures: [] });
  });
});

describe('max_replans', () => {
  it('pauses the task before one replan too many, and resuming allows as many again', () => {
    const task = openTask({ limits: { max_replans: 2 } })
      .plans('A')
      .finishes()
      .replans('B')
      .finishes()
      .replans('C');
    expect(task.state).toBe('thinking');
    task.finishes();
    expect(task.state).toBe('paused');
    expect(task.context.pause_reason).toBe('replan_limit');
    expect(task.resumes().state).toBe('replanning');
    expect(task.replans('D').finishes().replans('E').finishes().context.pause_reason).toBe('replan_limit');
  });
});
