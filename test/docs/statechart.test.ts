import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TaskState } from '../../contracts/task.ts';
import { page, statechart } from '../../docs/statechart.ts';

describe('docs/statechart.md', () => {
  it('matches the machine: otherwise run `node docs/statechart.ts`', () => {
    expect(readFileSync(page, 'utf8')).toBe(statechart());
  });

  it.each(TaskState.options)('draws the state %s with a transition into it', (state) => {
    expect(statechart()).toMatch(new RegExp(`--> ${state}(:|$)`, 'm'));
  });

  it('draws guards by their names, and lists every event that cancels or pauses', () => {
    expect(statechart()).toContain('replanning --> verifying: replan.made [isDone and needsVerifying]');
    for (const event of [
      'task.cancelled',
      'machine.changed',
      'model.unavailable',
      'effect.abandoned',
      'quota.exhausted',
    ])
      expect(statechart()).toContain(`| \`${event}\` |`);
  });
});
