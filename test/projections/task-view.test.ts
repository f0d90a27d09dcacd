import { describe, expect, it } from 'vitest';
import { TaskView } from '../../contracts/turn-view.ts';
import { phaseOf, taskView } from '../../src/projections/task-view.ts';
import { goldenNames, playGolden } from '../support/golden/scripts.ts';

/** The phases that a golden task goes through, without repetitions. */
const phases = (name: string): string[] =>
  playGolden(name)
    .moments.map(({ after }) => phaseOf(after))
    .filter((phase, i, all) => phase !== all[i - 1]);

describe('the phase of a task', () => {
  it('goes from planning over executing to done', () => {
    expect(phases('straight-answer')).toEqual(['planning', 'executing', 'planning', 'done']);
  });

  it('is recovering while a tool failure is open', () => {
    expect(phases('tool-failure')).toEqual(['planning', 'executing', 'recovering', 'executing', 'planning', 'done']);
  });

  it('is recovering while a plan or a replan has to be tried again', () => {
    expect(phases('plan-becomes-goal').slice(0, 3)).toEqual(['planning', 'recovering', 'executing']);
    expect(phases('replan-contract-failure')).toEqual([
      'planning',
      'executing',
      'planning',
      'recovering',
      'blocked',
      'planning',
      'done',
    ]);
  });

  it('is blocked while the task waits or is paused, and verifying while it is verified', () => {
    expect(phases('plan-refused')).toEqual(['planning', 'blocked', 'done']);
    expect(phases('verification-limit')).toContain('verifying');
  });
});

describe('a task whose item was blocked', () => {
  it('is recovering until a tool or an item succeeds', () => {
    expect(phases('blocked-item-and-another-way')).toEqual([
      'planning',
      'executing',
      'recovering',
      'executing',
      'planning',
      'executing',
      'recovering',
      'done',
    ]);
  });
});

describe('the view of a task', () => {
  it.each(goldenNames)('keeps its contract at every moment of %s', (name) => {
    for (const { after } of playGolden(name).moments) {
      const view = taskView(after);
      expect(TaskView.parse(view)).toEqual(view);
    }
  });

  it('keeps what was blocked before the plan, and says that the task was given up', () => {
    const { after } = playGolden('blocked-item-and-another-way').moments.at(-1)!;
    expect(taskView(after)).toMatchObject({
      plan: [
        { step: 'Download the report', status: 'blocked', result: 'The server does not answer.' },
        { step: 'Ask a colleague for the report', status: 'completed' },
        { step: 'Sum it up', status: 'blocked' },
      ],
      current_plan_index: 2,
      outcome: 'completed',
    });
    const gaveUp = playGolden('given-up').moments.map((moment) => taskView(moment.after).outcome);
    expect(gaveUp).toEqual([null, null, null, null, null, 'failed']);
  });
});
