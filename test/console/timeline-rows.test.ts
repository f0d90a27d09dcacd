import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { type TimelineFilter, timelineRows } from '../../src/console/timeline/timeline-rows.ts';
import { goldenLines } from '../support/golden/files.ts';

const ALL: TimelineFilter = { search: '', kind: '', item: '', failedOnly: false };

const entriesOf = (name: string): TraceEntry[] => goldenLines(name) as unknown as TraceEntry[];

const rowsOf = (name: string, filter: Partial<TimelineFilter> = {}) =>
  timelineRows(entriesOf(name), { ...ALL, ...filter });

/** A row a line: `item 1`, or `3 item 1 round 2` for an entry that begins a round. */
const written = (name: string, filter: Partial<TimelineFilter> = {}): string[] => {
  const entries = entriesOf(name);
  return rowsOf(name, filter).rows.map((row) => {
    const { part, item, round } = row.place;
    const where = item === null ? `${part} ${round}` : `${part} ${item}`;
    if (row.isHeading) return where;
    return `  ${entries[row.index]!.seq} ${entries[row.index]!.event.type}${row.beginsRound ? ` round ${round}` : ''}`;
  });
};

describe('the rows of the timeline', () => {
  it('add up work, waits, tokens and cost, each part for itself', () => {
    const usage = { input_tokens: 3, output_tokens: 2, cost: { amount: '0.25', currency: 'EUR' } };
    const entry = (seconds: number, state: string, event: object) =>
      ({ seq: seconds + 1, at: new Date(1_000 * seconds).toISOString(), state, event, effects: [] }) as unknown;
    const entries = [
      entry(0, 'planning', { type: 'task.opened' }),
      entry(2, 'awaiting_user', { type: 'plan.made', usage }),
      entry(9, 'thinking', { type: 'answer.received' }),
      entry(10, 'done', { type: 'thought.made', usage }),
    ] as TraceEntry[];
    const rows = timelineRows(entries, ALL);
    const whole = { ms: 3_000, waited: 7_000, tokens: 10, cost: 0.5, currency: 'EUR' };
    expect([rows.spent, rows.rows[0]]).toEqual([whole, expect.objectContaining({ isHeading: true, spent: whole })]);
    expect(rows.longest).toBe(2_000);
  });

  it('are grouped by what the task worked at, and by round', () => {
    expect(written('two-items-with-tools')).toEqual([
      'planning 1',
      '  1 task.opened',
      '  2 plan.made',
      'item 1',
      '  3 thought.made round 1',
      '  4 observation.recorded',
      '  5 thought.made round 2',
      'replanning 1',
      '  6 replan.made',
      'item 2',
      '  7 thought.made round 1',
      '  8 observation.recorded',
      '  9 thought.made round 2',
      'replanning 2',
      '  10 replan.made',
    ]);
  });

  it('leave out entries that a filter excludes, and headings without entries', () => {
    expect(written('two-items-with-tools', { kind: 'observation.recorded' })).toEqual([
      'item 1',
      '  4 observation.recorded round 1',
      'item 2',
      '  8 observation.recorded round 1',
    ]);
    expect(written('two-items-with-tools', { item: '2' })[0]).toBe('item 2');
    expect(written('tool-failure', { failedOnly: true }).some((row) => row.includes('observation.recorded'))).toBe(
      true,
    );
    expect(written('two-items-with-tools', { failedOnly: true })).toEqual([]);
  });

  it('are those with every word of a search, in any case', () => {
    expect(rowsOf('two-items-with-tools', { search: 'MILK todo' }).shown).toBeGreaterThan(0);
    expect(rowsOf('two-items-with-tools', { search: 'milk zeppelin' }).shown).toBe(0);
  });

  it('name kinds and items for any filter', () => {
    const { kinds, items } = rowsOf('two-items-with-tools', { search: 'zeppelin' });
    expect([...items]).toEqual(['1', '2']);
    expect(kinds).toContain('replan.made');
  });
});
