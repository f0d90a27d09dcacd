import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

describe('A blocked item', () => {
  it('is kept with its reason when a replan replaces the plan, and never reads as completed', () => {
    const task = openTask().plans('Download', 'Sum up').blocks('No server').replans('Ask a colleague');
    expect(task.context.past_items).toMatchObject([{ step: 'Download', status: 'blocked', result: 'No server' }]);
    expect(task.context.plan_items).toMatchObject([{ step: 'Ask a colleague', status: 'in_progress' }]);
  });

  it('has what was last observed as its result when the thought gave no reason', () => {
    const task = openTask().plans('Download').acts().observes('no server', false).blocks();
    expect(task.context.past_items[0]?.result).toBe('no server');
  });

  it('is kept once when it is tried again, with how it ended at last', () => {
    const again = openTask().plans('Download').blocks('No server').replans('Download');
    expect(again.item?.id).toBe('1');
    expect(again.blocks('Still none').context.past_items).toMatchObject([{ id: '1', result: 'Still none' }]);
    expect(again.replans('Download').finishes('Got it').context.past_items).toMatchObject([
      { id: '1', status: 'completed', result: 'Got it' },
    ]);
  });

  it('satisfies no dependency', () => {
    const task = openTask()
      .plans({ id: 'a', step: 'A' }, { id: 'b', step: 'B', depends_on: ['a'] })
      .blocks()
      .replans({ id: 'b', step: 'B', depends_on: ['a'] });
    expect(task.context.deadlocks_in_a_row).toBe(1);
    expect(task.context.past_items.map(({ id, status }) => `${id} ${status}`)).toEqual(['a blocked', 'b blocked']);
  });

  it('stays blocked when the task is answered, while what was left over is dropped', () => {
    const task = openTask().plans('A', 'B').blocks().concludes('B was not needed');
    expect(task.context.plan_items.map(({ status }) => status)).toEqual(['blocked', 'dropped']);
  });

  it('leaves the task recovering until something succeeds', () => {
    const task = openTask().plans('A').blocks().replans('B');
    expect(task.context.is_recovering).toBe(true);
    expect(task.acts().observes('no', false).context.is_recovering).toBe(true);
    expect(task.acts('add milk').observes('ok').context.is_recovering).toBe(false);
  });

  it('can be marked so by the user, and back', () => {
    const marked = openTask().plans('A', 'B').asks('Which?').edits({ kind: 'mark', index: 1, status: 'blocked' });
    expect(marked.context.past_items).toMatchObject([{ step: 'B', status: 'blocked' }]);
    expect(marked.edits({ kind: 'mark', index: 1, status: 'not_started' }).context.past_items).toEqual([]);
  });
});

describe("A task's outcome", () => {
  it('is not known before the task ends', () => {
    expect(openTask().plans('A').context.outcome).toBe(null);
  });

  it('is completed with an answer, and failed with one that gives up', () => {
    expect(openTask().plans('A').finishes().concludes('Done').context.outcome).toBe('completed');
    const task = openTask().plans('A').blocks().givesUp('No server');
    expect(task.state).toBe('done');
    expect(task.context).toMatchObject({ outcome: 'failed', pending_final_response: 'No server' });
  });

  it('is failed where every step is used, and none where the task is cancelled', () => {
    const spent = openTask({ limits: { max_steps: 1, max_total_steps: 1 } })
      .plans('A')
      .garbles();
    expect(spent.context.outcome).toBe('failed');
    expect(openTask().plans('A').cancels().context.outcome).toBe(null);
  });

  it('is forgotten with the answer that a steer or a failed verification sets aside', () => {
    const verifying = () => openTask({ verifies: true }).plans('A').acts().observes('ok').finishes().givesUp('No');
    expect(verifying().verifies(false, '1 failed').context).toMatchObject({ outcome: null, is_recovering: true });
    expect(verifying().steers('Wait').verifies(true).context).toMatchObject({ outcome: null, is_recovering: false });
    expect(verifying().cancels().context.outcome).toBe(null);
    expect(verifying().verifies(true).context.outcome).toBe('failed');
  });
});
