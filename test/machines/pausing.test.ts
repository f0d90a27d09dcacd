import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../contracts/event.ts';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

/** A task in each state that has an effect open. */
const working: [string, () => DrivenTask][] = [
  ['planning', () => openTask()],
  ['thinking', () => openTask().plans('A')],
  ['acting', () => openTask().plans('A').acts()],
  ['replanning', () => openTask().plans('A').finishes()],
  ['verifying', () => openTask({ verifies: true }).plans('A').acts().observes('ok').finishes().concludes('Done')],
];

const stops: [string, (effect: number) => TaskEvent][] = [
  ['model_unavailable', (effect) => ({ type: 'model.unavailable', effect, reason: 'overloaded' })],
  ['crash_loop', (effect) => ({ type: 'effect.abandoned', effect, begins: 3 })],
  ['budget_exhausted', (effect) => ({ type: 'quota.exhausted', effect, reason: 'no tokens left' })],
  ['machine_changed', () => ({ type: 'machine.changed', from: 'task@1', to: 'task@2', reason: 'other effects' })],
];

describe.each(working)('A task in %s', (state, begin) => {
  it.each(stops)('pauses as %s, at no cost, and closes its effect', (pause_reason, stop) => {
    const task = begin();
    const { step_count, plan_items, open_effect } = task.context;
    expect(task.state).toBe(state);
    task.send(stop(open_effect!));
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason, step_count, plan_items, open_effect: null });
    expect(task.context.pause_detail).not.toBe(null);
    expect(task.effects).toEqual([]);
  });
});

describe('Resuming', () => {
  it('clears the count of failed replans that paused the task', () => {
    const task = openTask({ limits: { failure_limit: 2 } })
      .plans('A')
      .finishes()
      .garbles('no JSON', 2);
    expect(task.context.pause_reason).toBe('contract_failure');
    expect(task.resumes().garbles().state).toBe('replanning');
    expect(task.garbles().context.pause_reason).toBe('contract_failure');
  });

  it('forgets an answer that was never verified', () => {
    const task = openTask({ verifies: true })
      .plans('A')
      .acts()
      .observes('ok')
      .finishes()
      .concludes('Done')
      .losesModel();
    expect(task.resumes().context.pending_final_response).toBe(null);
  });

  it('is for paused tasks only', () => {
    expect(() => openTask().resumes()).toThrow("Task in 'planning' does not accept 'task.resumed'");
    expect(() => openTask().plans('A').asks('Which day?').resumes()).toThrow('does not accept');
  });
});
