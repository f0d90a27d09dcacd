import { describe, expect, it } from 'vitest';
import { progressLines } from '../../src/projections/progress.ts';
import { momentsOf } from '../support/golden/moments.ts';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

const progressOf = (task: DrivenTask): string[] =>
  momentsOf(task).flatMap(({ before, entry, after }) => progressLines(before, entry, after).map(({ text }) => text));

/** The golden traces have the lines of whole tasks. */
describe('progress lines', () => {
  it('hold no control character and stay one short line, whatever a tool gives back', () => {
    const task = openTask({ goal: 'Look \u001b[2Jhere' })
      .plans('Step\nwith \u001b[31mcolour\u001b[0m')
      .acts(`add ${'x'.repeat(5_000)}\n\u001b]8;;http://evil\u0007link`)
      .observes(`line one\r\nline two\u0000\u202e ${'🙂'.repeat(3_000)}`);
    for (const line of progressOf(task)) {
      expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(line.length).toBeLessThan(300);
      expect(line.isWellFormed()).toBe(true);
    }
    expect(progressOf(task)).toContain('Item 1/1: Step with colour');
  });

  it("never show what a model said to itself or an item's conclusion", () => {
    const task = openTask()
      .plans('Add milk', 'Add bread')
      .says({ status: 'continue', current_step: 'SECRET', next_action: { tool: 'todo', input: 'add milk' } })
      .observes('Added')
      .finishes('SECRET')
      .replans('Add bread')
      .garbles('SECRET')
      .finishes()
      .concludes('Done.');
    expect(progressOf(task).join('\n')).not.toContain('SECRET');
  });
});
