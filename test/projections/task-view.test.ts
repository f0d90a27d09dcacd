import { describe, expect, it } from 'vitest';
import { TaskView } from '../../contracts/turn-view.ts';
import { phaseOf, taskView } from '../../src/projections/task-view.ts';
import { goldenMoments, goldenNames } from '../support/golden/files.ts';

/** The phases that a golden task goes through, without repetitions. */
const phases = (name: string): string[] =>
  goldenMoments(name)
    .map(({ after }) => phaseOf(after))
    .filter((phase, i, all) => phase !== all[i - 1]);

it.each([
  ['straight-answer', 'planning executing planning done'],
  ['tool-failure', 'planning executing recovering executing planning done'],
  ['plan-becomes-goal', 'planning recovering executing planning done'],
  ['replan-contract-failure', 'planning executing planning recovering blocked planning done'],
  ['plan-refused', 'planning blocked done'],
  ['blocked-item-and-another-way', 'planning executing recovering executing planning executing recovering done'],
])('the phases of %s are %s', (name, expected) => {
  expect(phases(name).join(' ')).toBe(expected);
});

it('a task is verifying while it is verified', () => {
  expect(phases('verification-limit')).toContain('verifying');
});

describe('the view of a task', () => {
  it.each(goldenNames)('keeps its contract at every moment of %s', (name) => {
    for (const { after } of goldenMoments(name)) {
      const view = taskView(after);
      expect(TaskView.parse(view)).toEqual(view);
    }
  });

  it('keeps what was blocked before the plan, and says that the task was given up', () => {
    const { after } = goldenMoments('blocked-item-and-another-way').at(-1)!;
    expect(taskView(after)).toMatchObject({
      plan: [
        { step: 'Download the report', status: 'blocked', result: 'The server does not answer.' },
        { step: 'Ask a colleague for the report', status: 'completed' },
        { step: 'Sum it up', status: 'blocked' },
      ],
      current_plan_index: 2,
      outcome: 'completed',
    });
    const gaveUp = goldenMoments('given-up').map((moment) => taskView(moment.after).outcome);
    expect(gaveUp).toEqual([null, null, null, null, null, 'failed']);
  });
});
