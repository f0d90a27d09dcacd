import { afterEach, describe, expect, it } from 'vitest';
import type { LaneSum, RerunLane, RerunReport, RerunTask } from '../../contracts/rerun.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { againOf, answerOfSum, costsBeside, inOrder, meaningOfSum, questionOf } = await import(
  '../../src/console/reruns/verdict.ts'
);

afterEach(() => speak('en'));

const sum = (lane: LaneSum['lane'], tasks: number, same: number, different: number, amount?: string): LaneSum => ({
  lane,
  models: [],
  tasks,
  same,
  different,
  unknown: tasks - same - different,
  steps: 0,
  calls: 0,
  tool_calls: 0,
  usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_written_tokens: 0 },
  ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
  misses: 0,
});

const report = (...sums: LaneSum[]): RerunReport => ({ same: false, sums, tasks: [] });

describe('the verdict on a rerun', () => {
  it('asks what was tried: a model, instructions, or the same once more', () => {
    const runs = { done: 0, all: 4 };
    expect(questionOf({ model: 'anthropic:small', tasks: 2, runs })).toBe('Would small have done it?');
    expect(questionOf({ model: null, tasks: 2, runs })).toBe('Would the new instructions have done it?');
    expect(questionOf({ model: null, tasks: 4, runs })).toBe('Would it come out the same again?');
  });

  it.each([
    [sum('candidate', 1, 1, 0), 'Yes: the outcome is the recorded one', 'done'],
    [sum('candidate', 3, 3, 0), 'Yes: all 3 tasks have the recorded outcome', 'done'],
    [sum('candidate', 1, 0, 1), 'No: the outcome is another', 'failed'],
    [sum('candidate', 3, 0, 3), 'No: none of the 3 tasks has the recorded outcome', 'failed'],
    [sum('candidate', 3, 2, 1), 'Not always: 2 of 3 tasks have the recorded outcome', 'failed'],
    [sum('candidate', 3, 2, 0), 'Not known of all: 2 of 3 tasks have the recorded outcome', 'neutral'],
    [sum('candidate', 1, 0, 0), 'Not known: it did not run to its end', 'neutral'],
  ] as const)('answers by what came out as recorded, %#', (tried, answer, meaning) => {
    expect([answerOfSum(tried), meaningOfSum(tried)]).toEqual([answer, meaning]);
  });

  it('says what the runs with the recorded outcome cost beside the recording, where both are known', () => {
    const task = (same: boolean, recorded: string, amount?: string) => {
      const cost = (of: string | undefined) => (of === undefined ? {} : { cost: { amount: of, currency: 'USD' } });
      return {
        lanes: [
          { lane: 'recorded', ...cost(recorded) },
          { lane: 'candidate', same, ...cost(amount) },
        ],
      } as RerunTask;
    };
    const of = (...tasks: RerunTask[]) => costsBeside({ same: false, sums: [], tasks });
    expect(of(task(true, '0.04', '0.01'))).toBe('$0.010 instead of $0.040 · 75\u00a0% less');
    expect(of(task(true, '0.04', '0.05'))).toBe('$0.050 instead of $0.040 · 25\u00a0% more');
    expect(of(task(true, '0.04', '0.04'))).toBe('$0.040 instead of $0.040 · as much');
    expect(of(task(true, '0.04', '0.01'), task(false, '0.04', '0.001'))).toMatch(/^For those 1: \$0\.010 instead/);
    expect(of(task(true, '0.04'))).toBeNull();
    expect(of(task(false, '0.04', '0.01'))).toBeNull();
    speak('zh');
    expect(of(task(true, '0.04', '0.01'))).toContain('少 75%');
  });

  it('says what a second run of the same model means for the difference', () => {
    const candidate = sum('candidate', 2, 1, 1);
    expect(againOf(report(sum('again', 2, 2, 0), candidate))).toMatch(/difference is the candidate’s/);
    expect(againOf(report(sum('again', 2, 1, 1), candidate))).toMatch(/in 1 of 2 .* proves little/);
    expect(againOf(report(sum('again', 2, 2, 0), sum('candidate', 2, 2, 0)))).toMatch(/had the recorded outcome\.$/);
    expect(againOf(report(sum('again', 2, 1, 0), candidate))).toBeNull();
    expect(againOf(report(sum('again', 2, 2, 0)))).toBeNull();
  });

  it('has the tasks first that came out otherwise, then those not known', () => {
    const task = (goal: string, same: boolean | null) =>
      ({ goal, lanes: [{ lane: 'candidate', same } as RerunLane] }) as RerunTask;
    const goals = inOrder([task('a', true), task('b', null), task('c', false), task('d', true)]).map(
      ({ goal }) => goal,
    );
    expect(goals).toEqual(['c', 'b', 'a', 'd']);
  });
});
