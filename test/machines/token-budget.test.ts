import { describe, expect, it } from 'vitest';
import type { CallUsage } from '../../contracts/usage.ts';
import { replyOf } from '../../src/projections/reply.ts';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

const thinks = (task: DrivenTask, usage: CallUsage): DrivenTask =>
  task.send({
    type: 'thought.made',
    effect: task.context.open_effect ?? 0,
    reader: 'strict',
    ...{ status: 'continue', current_step: 'now', question: null, response: null },
    next_action: { tool: 'todo', input: 'list' },
    usage,
  });

const limited = (max_task_tokens: number) => openTask({ limits: { max_task_tokens } }).plans('A');

describe('The token budget', () => {
  it('counts all tokens of the calls, those of the cache too', () => {
    const task = thinks(openTask().plans('A'), { input_tokens: 1, output_tokens: 2, cache_read_tokens: 4 }).observes(
      'ok',
    );
    const usage = { input_tokens: 1, output_tokens: 0, cache_written_tokens: 8 };
    expect(thinks(task, usage).context.usage).toEqual({
      input_tokens: 2,
      output_tokens: 2,
      cache_written_tokens: 8,
      cache_read_tokens: 4,
    });
  });

  it('is checked before the next thought: a round that has begun ends', () => {
    const task = thinks(limited(10), { input_tokens: 9, output_tokens: 1 });
    expect(task.state).toBe('acting');
    task.observes('ok');
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason: 'budget_exhausted', pause_detail: null });
  });

  it('is looked at before a replan too, and lets a task go on below it', () => {
    expect(thinks(limited(11), { input_tokens: 9, output_tokens: 1 }).observes('ok').finishes().state).toBe(
      'replanning',
    );
    const spent = thinks(limited(10), { input_tokens: 5, output_tokens: 4 }).observes('ok');
    spent.send({
      type: 'thought.rejected',
      effect: spent.context.open_effect!,
      reason: 'no JSON',
      usage: { input_tokens: 1, output_tokens: 0 },
    });
    expect(spent.state).toBe('paused');
  });

  it('grows by as much again with each continue, from what is used', () => {
    const task = thinks(limited(10), { input_tokens: 12, output_tokens: 0 }).observes('ok').resumes();
    expect(task.state).toBe('replanning');
    expect(task.context.token_limit).toBe(22);
  });

  it('is named in the three-part reply', () => {
    const { output } = replyOf(thinks(limited(10), { input_tokens: 12, output_tokens: 0 }).observes('ok').task);
    expect(output).toContain('The task used 12 of 10 tokens.');
    expect(output).toContain('Send "continue" for 10 more tokens.');
  });
});
