import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { callsOf, callsUntil, type TaskCall } from '../../src/console/history/calls.ts';
import { addSpent, NOTHING_SPENT, spentOn } from '../../src/console/history/spent.ts';
import { goldenLines } from '../support/golden/files.ts';
import { traceOf } from '../support/golden/moments.ts';
import { type DrivenTask, guardedCatalogue, openTask } from '../support/machine/task-driver.ts';

/** A task's trace with its own times, in seconds since it was opened. */
const timed = (task: DrivenTask, seconds: readonly number[]): TraceEntry[] =>
  traceOf(task).map((entry, i) => ({ ...entry, at: new Date(seconds[i]! * 1_000).toISOString() }));

/** A call in one line: its kind, its entries' numbers from 1, and how many seconds it took. */
const written = ({ kind, from, to, beginsAt, endsAt, isFailed }: TaskCall): string =>
  [
    kind,
    `${from + 1}-${to === null ? '' : to + 1}`,
    endsAt === null ? 'goes on' : `${(endsAt - beginsAt) / 1_000} s`,
    ...(isFailed ? ['failed'] : []),
  ].join(' ');

const golden = (name: string): TraceEntry[] => goldenLines(name) as unknown as TraceEntry[];

describe('the calls of a task', () => {
  it('last from their request to their outcome, whatever was said in between', () => {
    const task = openTask().plans('Buy milk').acts('add milk').steers('Oat milk, please').observes('on the list');
    expect(callsOf(timed(task, [0, 2, 3, 7, 8])).map(written)).toEqual([
      'model 1-2 2 s',
      'model 2-3 1 s',
      'tool 3-5 5 s',
      'point 4-4 0 s',
      'model 5- goes on',
    ]);
  });

  it('wait for their user from the question to the decision', () => {
    const task = openTask({ catalogue: guardedCatalogue }).plans('Buy milk').acts('add milk');
    task.decides({ type: 'approve' }).observes('not there', false);
    expect(callsOf(timed(task, [0, 1, 2, 60, 61])).map(written)).toEqual([
      'model 1-2 1 s',
      'model 2-3 1 s',
      'wait 3-4 58 s',
      'tool 4-5 1 s failed',
      'model 5- goes on',
    ]);
  });

  it('end where the task goes on without them', () => {
    const calls = callsOf(golden('cancelled-while-running'));
    expect(calls.every(({ endsAt }) => endsAt !== null)).toBe(true);
  });

  it('are as they were at an earlier moment', () => {
    const entries = timed(openTask().plans('Buy milk').acts('add milk').observes('done'), [0, 2, 3, 9]);
    expect(callsUntil(callsOf(entries), 2, 3_000).map(written)).toEqual([
      'model 1-2 2 s',
      'model 2-3 1 s',
      'tool 3- goes on',
    ]);
  });

  it('of one message are one call: what it brought besides took no time', () => {
    const entries = traceOf(openTask().plans('Buy milk').acts('add milk'));
    const rest = { ...entries[2]!, event: { ...entries[2]!.event, call: 'todo' } } as unknown as TraceEntry;
    expect(callsOf([entries[0]!, entries[1]!, rest]).map(({ kind }) => kind)).toEqual(['model', 'tool']);
  });

  it('know their item and its round', () => {
    const places = callsOf(golden('two-items-with-tools')).map(({ place: { part, item, round } }) =>
      [part, item, round].filter((each) => each !== null).join(' '),
    );
    expect(places).toEqual([
      'planning 1',
      ...['item 1 1', 'item 1 1', 'item 1 2'],
      'replanning 1',
      ...['item 2 1', 'item 2 1', 'item 2 2'],
      'replanning 2',
    ]);
  });

  it('add up work, waits, tokens and cost', () => {
    const usage = { input_tokens: 3, output_tokens: 2, cost: { amount: '0.25', currency: 'EUR' } };
    const task = openTask().plans('Buy milk').asks('Which?').answers('Oat').replans('Buy oat milk');
    const entries = timed(task, [0, 2, 3, 9, 10]).map((entry) =>
      'effect' in entry.event ? ({ ...entry, event: { ...entry.event, usage } } as TraceEntry) : entry,
    );
    const sum = callsOf(entries)
      .filter(({ endsAt }) => endsAt !== null)
      .reduce((all, call) => addSpent(all, spentOn(call, entries, 0)), NOTHING_SPENT);
    expect(sum).toEqual({ ms: 4_000, waited: 6_000, tokens: 15, cost: 0.75, currency: 'EUR' });
  });
});
