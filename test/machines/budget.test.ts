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
  it('no thought starts: the task pauses at the top of the inner loop', () => {
    const task = openTask({ limits: { max_steps: 2 } })
      .plans('A')
      .acts()
      .observes('milk');
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason: 'step_limit', step_count: 2, step_limit: 2 });
    expect(task.effects).toEqual([]);
  });

  it('no replan starts: the task pauses at the top of the outer loop', () => {
    const task = openTask({ limits: { max_steps: 1 } })
      .plans('A')
      .finishes();
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason: 'step_limit', step_count: 1, needs_replan: true });
  });

  it('a round that has begun ends, one above the limit and never more', () => {
    const task = openTask({ limits: { max_steps: 1 } })
      .plans('A')
      .acts();
    expect(task.state).toBe('acting');
    task.observes('milk');
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ step_count: 2, step_limit: 1 });
  });

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
  it('gives max_steps more, counted from where the task is, and replans', () => {
    const task = openTask({ limits: { max_steps: 3 } })
      .plans('A')
      .acts()
      .observes('milk')
      .acts()
      .observes('bread');
    expect(task.context).toMatchObject({ pause_reason: 'step_limit', step_count: 4, step_limit: 3 });
    task.resumes();
    expect(task.state).toBe('replanning');
    expect(task.context).toMatchObject({ step_count: 4, step_limit: 7, pause_reason: null });
  });

  it('never gives more than max_total_steps, where the task is failed', () => {
    const task = openTask({ limits: { max_steps: 3, max_total_steps: 4 } })
      .plans('A')
      .garbles('no JSON', 3);
    expect(task.resumes().context.step_limit).toBe(4);
    task.garbles();
    expect(task.state).toBe('failed');
    expect(task.context).toMatchObject({ step_count: 4, pause_reason: null, open_effect: null });
  });

  it('fails the task at once when it has used all that it could ever get, in place of a pause that offers nothing', () => {
    const task = openTask({ limits: { max_steps: 1, max_total_steps: 2 } })
      .plans('A')
      .acts()
      .observes('milk');
    expect(task.state).toBe('failed');
    expect(replyOf(task.task).output).toContain('2 is the most that one task may use');
  });
});
