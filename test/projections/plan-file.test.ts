import { describe, expect, it } from 'vitest';
import { PlanFile, planFile } from '../../src/projections/plan-file.ts';
import { goldenMoments, goldenNames } from '../support/golden/files.ts';
import { openTask } from '../support/machine/task-driver.ts';

const filesOf = (name: string): PlanFile[] => goldenMoments(name).map(({ after }) => planFile(after));

describe('plan.json', () => {
  it.each(goldenNames)('keeps its schema and points into its steps at every moment of %s', (name) => {
    for (const file of filesOf(name)) {
      expect(PlanFile.parse(file)).toEqual(file);
      expect(file.current_step_index).toBeLessThanOrEqual(file.steps.length);
    }
  });

  it('shows the completed items, then the current plan', () => {
    expect(filesOf('two-items-with-tools')[5]).toEqual({
      id: 'task_1',
      goal: 'Add milk to my todos and put a dentist visit on Friday 10:00',
      status: 'running',
      steps: [
        {
          id: '1',
          description: 'Add milk to the todos',
          status: 'completed',
          result: 'Milk is todo 1.',
          progress: { current: 2, total: 2 },
        },
        {
          id: '2',
          description: 'Schedule the dentist visit',
          status: 'running',
          result: null,
          progress: { current: 1, total: 12 },
        },
      ],
      current_step_index: 1,
      iteration_count: 3,
    });
  });

  it('moves progress with the rounds of the item, never past its total, and ends with all its rounds', () => {
    const current = filesOf('round-limit').map(({ steps }) => steps[0]?.progress.current);
    expect(current).toEqual([undefined, 1, 1, 2, 2, 2, 2, 4, 4]);
  });

  it('reads paused while the task waits, and continues at the same step', () => {
    const files = filesOf('ask-and-answer');
    expect(files[2]).toMatchObject({ status: 'paused', current_step_index: 0, steps: [{ status: 'running' }] });
  });

  it('reads failed for a cancelled task and for the step that it was at', () => {
    expect(filesOf('cancelled-while-running')[3]).toMatchObject({ status: 'failed', steps: [{ status: 'failed' }] });
  });

  it('reads failed for steps that were blocked or dropped', () => {
    expect(filesOf('tags-and-notes').at(-1)).toMatchObject({
      status: 'completed',
      steps: [{ status: 'completed' }, { description: '[SEARCH] Find a colour scheme', status: 'failed' }],
    });
  });

  it('keeps a blocked step as failed before the plan that replaced it', () => {
    const { steps, status, current_step_index } = filesOf('blocked-item-and-another-way')[5]!;
    expect(steps.map((step) => `${step.description}: ${step.status}`)).toEqual([
      'Download the report: failed',
      'Ask a colleague for the report: running',
      'Sum it up: pending',
    ]);
    expect({ status, current_step_index }).toEqual({ status: 'running', current_step_index: 1 });
  });

  it('points at the item that is worked on, also where it is not the first of the plan', () => {
    const files = filesOf('dependencies-out-of-order');
    expect(files[2]!.steps[files[2]!.current_step_index]).toMatchObject({ id: 'write', status: 'running' });
    expect(files.at(-1)).toMatchObject({ current_step_index: 3 });
  });

  it('gives a result as a summary, not a dump', () => {
    const { task } = openTask().plans('Dump', 'Rest').acts().observes('line\n'.repeat(2_000)).finishes();
    const result = planFile(task).steps[0]!.result!;
    expect(result).toMatch(/^line line .*…$/);
    expect(result.length).toBeLessThanOrEqual(500);
  });
});
