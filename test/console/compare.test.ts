import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { UsageDay } from '../../contracts/usage.ts';
import { firstPoint, forkPoints } from '../../src/console/fork/fork-points.ts';
import { dayBars } from '../../src/console/system/day-chart.tsx';
import { alignTraces } from '../../src/history/compare.ts';

/** Entries of a task of these events, numbered from a seq on. */
const trace = (task: string, from: number, events: { text: string; state?: string }[]): TraceEntry[] =>
  events.map(
    ({ text, state = 'thinking' }, i) =>
      ({
        v: 1,
        at: `2026-01-05T09:00:0${i}.000Z`,
        session_id: `of-${task}`,
        task_id: task,
        machine: 'm',
        seq: from + i,
        state,
        step_count: i,
        effects: [],
        event: { type: 'answer.received', turn_id: `turn_${task}`, text },
      }) as unknown as TraceEntry,
  );

describe('two traces beside each other', () => {
  it('are the same except for ids, times and numbers, up to the first event that differs', () => {
    const left = trace('task_1', 1, [{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
    const right = trace('task_2', 2, [{ text: 'a' }, { text: 'x' }]);
    expect(alignTraces(left, right)).toEqual({
      same: 1,
      changes: [{ path: ['event', 'text'], before: 'b', after: 'x' }],
    });
  });

  it('do not differ if one is only shorter', () => {
    const left = trace('task_1', 1, [{ text: 'a' }, { text: 'b' }]);
    expect(alignTraces(left, left.slice(0, 1))).toEqual({ same: 1, changes: [] });
  });
});

describe('the moments of a task to fork at', () => {
  const entries = trace('task_1', 1, [
    { text: 'a' },
    { text: 'b', state: 'awaiting_user' },
    { text: 'c', state: 'paused' },
    { text: 'd', state: 'done' },
  ]);

  it('are where it waits or is paused, and the shown moment, but never its end', () => {
    expect(forkPoints(entries, 1).map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'looked'],
      [2, 'question'],
      [3, 'paused'],
    ]);
    expect(forkPoints(entries, 4).map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('begin with the shown one, or the last question', () => {
    expect(firstPoint(forkPoints(entries, 3), 3)).toBe(3);
    expect(firstPoint(forkPoints(entries, 4), 4)).toBe(2);
  });
});

describe('what was used by day', () => {
  const used = { input_tokens: 5, output_tokens: 3, cache_written_tokens: 1, cache_read_tokens: 1 };
  const days: UsageDay[] = [{ day: '2026-03-01', turns: 2, calls: 4, usage: used, models: [] }];

  it('has a bar for every day, also without usage, across the end of a month', () => {
    expect(dayBars(days, '2026-03-02', 3, 'tokens')).toEqual([
      { day: '2026-02-28', parts: [] },
      { day: '2026-03-01', parts: [2, 5, 3] },
      { day: '2026-03-02', parts: [] },
    ]);
  });

  it('says that a cost is not known, and never 0 for it', () => {
    expect(dayBars(days, '2026-03-01', 1, 'cost')).toEqual([{ day: '2026-03-01', parts: null }]);
  });
});
