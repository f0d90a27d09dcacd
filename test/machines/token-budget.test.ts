import { describe, expect, it } from 'vitest';
import type { CallUsage } from '../../contracts/usage.ts';
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
});
