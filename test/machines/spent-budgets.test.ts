import { describe, expect, it } from 'vitest';
import type { CallUsage } from '../../contracts/usage.ts';
import { replyOf } from '../../src/projections/reply.ts';
import { taskView } from '../../src/projections/task-view.ts';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

const thinks = (task: DrivenTask, usage: CallUsage): DrivenTask =>
  task.send({
    type: 'thought.made',
    effect: task.context.open_effect ?? 0,
    reader: 'strict',
    status: 'continue',
    current_step: 'now',
    question: null,
    response: null,
    next_action: { tool: 'todo', input: 'list' },
    usage,
  });

const tokens = { input_tokens: 9, output_tokens: 1 };
const euros = (amount: string): CallUsage => ({ ...tokens, cost: { amount, currency: 'EUR' } });

const limited = (max_task_cost: string, language: 'en' | 'zh' = 'en') =>
  openTask({ language, limits: { max_task_cost } }).plans('A');

describe('The budget of money', () => {
  it('ends before the next thought, and grows by as much again with each continue, to the last decimal place', () => {
    const task = thinks(limited('0.3'), euros('0.1')).observes('ok');
    expect(task.state).toBe('thinking');
    thinks(task, euros('0.2')).observes('ok');
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason: 'budget_exhausted', pause_detail: null });
    const { output } = replyOf(task.task);
    expect(output).toContain('The task has cost 0.3 EUR; its limit is 0.3.');
    expect(output).toContain('Send "continue" to spend up to 0.3 EUR more.');
    task.resumes();
    expect(task.state).toBe('replanning');
    expect(task.context.cost_limit).toBe('0.6');
  });

  it('pauses at a call without a price, once', () => {
    const task = thinks(limited('0.3', 'zh'), tokens).observes('ok');
    expect(task.state).toBe('paused');
    expect(replyOf(task.task).output).toContain('有一次模型调用没有价格');
    task.resumes().replans('B');
    expect(thinks(task, tokens).observes('ok').state).toBe('thinking');
  });
});

describe('A call without a count of tokens', () => {
  it('makes the cost unknown for good, whatever came before and comes after', () => {
    const task = thinks(openTask().plans('A'), euros('0.1')).observes('ok');
    expect(taskView(task.task)).toHaveProperty('cost');
    thinks(task, { input_tokens: 9, output_tokens: 0, is_unknown: true }).observes('ok');
    thinks(task, euros('0.1')).observes('ok');
    expect(taskView(task.task)).not.toHaveProperty('cost');
  });

  it('pauses a task that has a budget of money', () => {
    const uncounted = { input_tokens: 0, output_tokens: 0, is_unknown: true } as const;
    const task = thinks(limited('0.3'), uncounted).observes('ok');
    expect(task.state).toBe('paused');
    expect(replyOf(task.task).output).toContain(
      'did not report the tokens of a call, so the service cannot tell whether the task stays below 0.3',
    );
  });
});

describe('The token budget', () => {
  it.each(['en', 'zh'] as const)('pauses once at a call without a count of tokens, and says so in %s', (language) => {
    const uncounted = { input_tokens: 0, output_tokens: 0, is_unknown: true } as const;
    const task = thinks(openTask({ language, limits: { max_task_tokens: 1_000 } }).plans('A'), uncounted).observes(
      'ok',
    );
    expect(task.state).toBe('paused');
    const { output } = replyOf(task.task);
    expect(output).toContain(language === 'en' ? 'did not report the tokens of a call' : '没有给出某次调用的 token 数');
    expect(output).toContain(language === 'en' ? 'without a limit of tokens' : '不再限制 token 数');
    task.resumes().replans('B');
    expect(thinks(task, uncounted).observes('ok').state).toBe('thinking');
  });

  it('counts all tokens of the calls, those of the cache too', () => {
    const first = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 4 };
    const task = thinks(openTask().plans('A'), first).observes('ok');
    expect(thinks(task, { input_tokens: 1, output_tokens: 0, cache_written_tokens: 8 }).context.usage).toEqual({
      input_tokens: 2,
      output_tokens: 2,
      cache_written_tokens: 8,
      cache_read_tokens: 4,
    });
  });
});
