import { describe, expect, it } from 'vitest';
import { replyOf } from '../../src/projections/reply.ts';
import { openTask } from '../support/machine/task-driver.ts';

describe('step_count', () => {
  it('counts the observations by their outcome', () => {
    const task = openTask()
      .plans('A')
      .acts()
      .observes('milk')
      .acts()
      .observes('no list', false)
      .acts('add')
      .observes('ok');
    expect(task.context).toMatchObject({ successful_steps: 2, failed_steps: 1 });
  });
});

describe('At the step limit', () => {
  it('a question costs its thought; the answer comes to a spent budget and pauses, without being lost', () => {
    const task = openTask({ limits: { max_steps: 1 } })
      .plans('A')
      .asks('Which day?');
    expect(task.state).toBe('awaiting_user');
    task.answers('Monday');
    expect(task.context).toMatchObject({ pause_reason: 'step_limit', clarification_history: [{ text: 'Monday' }] });
  });
});

describe('"continue" at the step limit', () => {
  it('fails the task at once when it has used all that it could ever get, in place of a pause that offers nothing', () => {
    const task = openTask({ limits: { max_steps: 1, max_total_steps: 2 } })
      .plans('A')
      .acts()
      .observes('milk');
    expect(task.state).toBe('failed');
    expect(replyOf(task.task).output).toContain('one task may use at most 2');
  });
});
