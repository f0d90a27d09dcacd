import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

describe('A blocked item', () => {
  it('is kept with its reason when a replan replaces the plan, and never reads as completed', () => {
    const task = openTask().plans('Download', 'Sum up').blocks('No server').replans('Ask a colleague');
    expect(task.context.past_items).toMatchObject([{ step: 'Download', status: 'blocked', result: 'No server' }]);
    expect(task.context.plan_items).toMatchObject([{ step: 'Ask a colleague', status: 'in_progress' }]);
  });

  it('leaves the task recovering until something succeeds', () => {
    const task = openTask().plans('A').blocks().replans('B');
    expect(task.context.is_recovering).toBe(true);
    expect(task.acts().observes('no', false).context.is_recovering).toBe(true);
    expect(task.acts('add milk').observes('ok').context.is_recovering).toBe(false);
  });
});

describe("A task's outcome", () => {
  it('is forgotten with the answer that a steer or a failed verification sets aside', () => {
    const verifying = () => openTask({ verifies: true }).plans('A').acts().observes('ok').finishes().givesUp('No');
    expect(verifying().verifies(false, '1 failed').context).toMatchObject({ outcome: null, is_recovering: true });
    expect(verifying().steers('Wait').verifies(true).context).toMatchObject({ outcome: null, is_recovering: false });
    expect(verifying().cancels().context.outcome).toBe(null);
    expect(verifying().verifies(true).context.outcome).toBe('failed');
  });
});
