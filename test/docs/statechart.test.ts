import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TaskState } from '../../contracts/task.ts';
import { page, readme, statechart, withPicture } from '../../docs/statechart.ts';

describe('docs/statechart.md', () => {
  it('is what the machine is now: else run `node docs/statechart.ts`', () => {
    expect(readFileSync(page, 'utf8')).toBe(statechart());
  });

  it('is drawn in the README too', () => {
    const text = readFileSync(readme, 'utf8');
    expect(text).toContain('```mermaid');
    expect(text).toBe(withPicture(text));
  });

  it.each(TaskState.options)('draws the state %s with a way in', (state) => {
    expect(statechart()).toMatch(new RegExp(`--> ${state}(:|$)`, 'm'));
  });

  it('draws guards by their names, and tells of every event that cancels or pauses', () => {
    expect(statechart()).toContain('replanning --> verifying: replan.made [isDoneUnverified]');
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
