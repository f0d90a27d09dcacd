import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { createNarrator } from '../../src/projections/progress-stream.ts';
import { goldenLines } from '../support/golden-files.ts';

const names = readdirSync(new URL('../traces', import.meta.url))
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length));

const taskTraceOf = (entries: TaskTraceEntry[]) => (taskId: string) =>
  entries.filter(({ task_id }) => task_id === taskId);

const read = (name: string): TaskTraceEntry[] => goldenLines(name) as unknown as TaskTraceEntry[];

describe('a narrator', () => {
  it.each(names)('tells the same of %s wherever it comes in', (name) => {
    const entries = read(name);
    const fromTheBeginning = createNarrator(() => {
      throw new Error('it has seen everything itself');
    });
    const isOneTask = new Set(entries.map(({ task_id }) => task_id)).size === 1;
    const narrate = isOneTask ? fromTheBeginning : createNarrator(taskTraceOf(entries));
    const whole = entries.map(narrate);
    expect(whole.flat().length).toBeGreaterThan(0);
    for (const start of entries.keys()) {
      const late = createNarrator(taskTraceOf(entries));
      expect(entries.slice(start).map(late)).toEqual(whole.slice(start));
    }
  });

  it('says nothing of a history that this machine does not fold, and goes on with the next task', () => {
    const entries = read('two-items-with-tools');
    const broken = entries.filter(({ event }) => event.type !== 'plan.made');
    const others = read('straight-answer').map((entry) => ({ ...entry, task_id: 'task_other' }));
    const narrate = createNarrator(taskTraceOf([...broken, ...others]));
    expect(broken.flatMap(narrate)).toEqual([]);
    expect(others.flatMap(narrate).length).toBeGreaterThan(0);
  });

  it('says nothing of what belongs to no task', () => {
    const narrate = createNarrator(() => []);
    const event = { type: 'session.forked', from_session_id: 's0', from_task_id: 'task_1', at_seq: 3 } as const;
    const line = { v: 1, seq: 1, at: '2026-01-05T09:00:00.000Z', session_id: 's1', machine: 'tripact-task@1' } as const;
    expect(narrate({ ...line, task_id: null, event, state: null, step_count: null, effects: [] })).toEqual([]);
  });
});
