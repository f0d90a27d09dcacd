import { describe, expect, it } from 'vitest';
import { replyOf } from '../../src/projections/reply.ts';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

const thinks = (task: DrivenTask, amount?: string): DrivenTask =>
  task.send({
    type: 'thought.made',
    effect: task.context.open_effect ?? 0,
    reader: 'strict',
    ...{ status: 'continue', current_step: 'now', question: null, response: null },
    next_action: { tool: 'todo', input: 'list' },
    usage: { input_tokens: 9, output_tokens: 1, ...(amount !== undefined && { cost: { amount, currency: 'EUR' } }) },
  });

const limited = (max_task_cost: string, language: 'en' | 'zh' = 'en') =>
  openTask({ language, limits: { max_task_cost } }).plans('A');

describe('The budget of money', () => {
  it('ends before the next thought, and grows by as much again with each continue, to the last decimal place', () => {
    const task = thinks(limited('0.3'), '0.1').observes('ok');
    expect(task.state).toBe('thinking');
    thinks(task, '0.2').observes('ok');
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason: 'budget_exhausted', pause_detail: null });
    const { output } = replyOf(task.task);
    expect(output).toContain('The task cost 0.3 EUR and may cost 0.3.');
    expect(output).toContain('Send "continue" to spend up to 0.3 EUR more.');
    task.resumes();
    expect(task.state).toBe('replanning');
    expect(task.context.cost_limit).toBe('0.6');
  });

  it('pauses at a call without a price, once', () => {
    const task = thinks(limited('0.3', 'zh')).observes('ok');
    expect(task.state).toBe('paused');
    expect(replyOf(task.task).output).toContain('有一次模型调用没有价格');
    task.resumes().replans('B');
    expect(thinks(task).observes('ok').state).toBe('thinking');
  });
});
