import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { callsOf } from '../../src/console/history/calls.ts';
import { axisOf, labelSides } from '../../src/console/timeline/axis.ts';
import { type CallFilter, filteredCalls, waterfallRows } from '../../src/console/timeline/waterfall-rows.ts';
import { goldenLines } from '../support/golden/files.ts';
import { traceOf } from '../support/golden/moments.ts';
import { openTask } from '../support/machine/task-driver.ts';

const entriesOf = (name: string): TraceEntry[] => goldenLines(name) as unknown as TraceEntry[];

/** A row a line, with the numbers of its calls' last entries. */
const written = (
  entries: readonly TraceEntry[],
  filter: Partial<CallFilter> = {},
  switched: string[] = [],
): string[] => {
  const calls = filteredCalls(callsOf(entries), entries, { search: '', only: '', ...filter });
  return waterfallRows(calls, new Set(switched)).map((row) => {
    const indent = '  '.repeat(row.depth);
    if (row.type === 'group') return `${indent}item ${row.place.item}`;
    if (row.type === 'run') return `${indent}${row.calls.length} calls`;
    return `${indent}${row.call.effect?.type ?? row.call.kind} ${row.call.to === null ? '…' : row.call.to + 1}`;
  });
};

describe('the rows of the waterfall', () => {
  it('are a call each, those on a plan item in a group', () => {
    expect(written(entriesOf('two-items-with-tools'))).toEqual([
      'model.plan 2',
      'item 1',
      '  model.thought 3',
      '  tool.call 4',
      '  model.thought 5',
      'model.replan 6',
      'item 2',
      '  model.thought 7',
      '  tool.call 8',
      '  model.thought 9',
      'model.replan 10',
    ]);
  });

  it('have calls that repeat in one, which opens', () => {
    const task = openTask().plans('Read on');
    for (const page of ['1', '2', '3']) task.acts(`add ${page}`).observes('read');
    const entries = traceOf(task.finishes());
    expect(written(entries)).toEqual(['model.plan 2', 'item 1', '  6 calls', '  model.thought 9', 'model.replan …']);
    expect(written(entries, {}, ['run 1 model']).slice(2, 5)).toEqual([
      '  6 calls',
      '    model.thought 3',
      '    tool.call 4',
    ]);
    expect(written(entries, {}, ['group 1 model'])).toEqual(['model.plan 2', 'item 1', 'model.replan …']);
  });

  it('leave out calls that a filter excludes, and groups without any', () => {
    const entries = entriesOf('two-items-with-tools');
    expect(written(entries, { only: 'tool' })).toEqual(['item 1', '  tool.call 4', 'item 2', '  tool.call 8']);
    expect(written(entries, { only: 'item:2' })[0]).toBe('item 2');
    expect(written(entriesOf('tool-failure'), { only: 'failed' })).toContainEqual(expect.stringContaining('tool.call'));
    expect(written(entries, { only: 'failed' })).toEqual([]);
  });

  it('are those with every word of a search, in any case', () => {
    expect(written(entriesOf('two-items-with-tools'), { search: 'MILK todo' })).not.toEqual([]);
    expect(written(entriesOf('two-items-with-tools'), { search: 'milk zeppelin' })).toEqual([]);
  });
});

describe('the time axis', () => {
  /** Calls of a model, each from one second to another. */
  const during = (...spans: [number, number][]) =>
    spans.map(([from, to]) => ({ ...callsOf(traceOf(openTask()))[0]!, beginsAt: from * 1_000, endsAt: to * 1_000 }));

  it('has one scale where something runs, and a number for each round step', () => {
    const axis = axisOf(during([0, 4], [4, 10]), 10_000, true);
    expect([axis.at(0), axis.at(5_000), axis.at(10_000)]).toEqual([0, 0.5, 1]);
    expect(axis.ticks.map(({ elapsed }) => elapsed)).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    expect(axis.breaks).toEqual([]);
  });

  it('draws a long wait short, and at its length on request', () => {
    const calls = during([0, 10], [3_610, 3_620]);
    const axis = axisOf(calls, 3_620_000, true);
    expect(axis.breaks).toEqual([{ at: 0.5, ms: 3_600_000 }]);
    expect(axis.at(3_610_000) - axis.at(10_000)).toBeLessThan(0.2);
    expect(axis.ticks.some(({ elapsed }) => elapsed === 3_610_000)).toBe(true);
    const whole = axisOf(calls, 3_620_000, false);
    expect(whole.breaks).toEqual([]);
    expect(whole.at(3_610_000) - whole.at(10_000)).toBeGreaterThan(0.9);
  });

  it('names its marks where there is room: the last one first, and none over another or beyond the end', () => {
    const at = (...places: number[]) => places.map((place) => ({ at: place, width: 40 }));
    expect(labelSides(at(0, 100, 200, 300), 400)).toEqual(['after', 'after', 'after', 'after']);
    expect(labelSides(at(0, 100, 200, 300), 300)).toEqual(['after', 'after', 'after', 'before']);
    expect(labelSides(at(0, 50, 100, 130), 150)).toEqual(['after', 'none', 'none', 'before']);
    expect(labelSides(at(0), 30)).toEqual(['none']);
  });
});
