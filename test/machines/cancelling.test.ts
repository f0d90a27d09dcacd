import { describe, expect, it } from 'vitest';
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
});
