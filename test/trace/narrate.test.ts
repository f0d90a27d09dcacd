import { describe, expect, it } from 'vitest';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import { narrate } from '../../src/history/narrate.ts';
import { type Narration, narrateStep } from '../../src/history/narration.ts';
import { phaseOf } from '../../src/projections/task-view.ts';
import { goldenLines, goldenMoments, goldenNames } from '../support/golden/files.ts';

const taskTraceOf = (entries: TaskTraceEntry[]) =>
  async function* (taskId: string) {
    yield* entries.filter(({ task_id }) => task_id === taskId);
  };

/** Entries as a stream gives them. */
async function* streamed<Entry>(entries: Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}

type Narrated = Pick<Narration, 'entry' | 'stateChange' | 'progress' | 'task'>;

const shown = ({ entry, stateChange, progress, task }: Narration): Narrated => ({ entry, stateChange, progress, task });

const narrateAll = (entries: TraceEntry[], taskTrace: Parameters<typeof narrate>[1]): Promise<Narrated[]> =>
  Array.fromAsync(narrate<never>(streamed(entries), taskTrace), shown);

const read = (name: string): TaskTraceEntry[] => goldenLines(name) as unknown as TaskTraceEntry[];

describe('a narrator', () => {
  it.each(goldenNames)('narrates %s alike wherever it starts', async (name) => {
    const entries = read(name);
    const unasked = () => {
      throw new Error('it has seen everything itself');
    };
    const isOneTask = new Set(entries.map(({ task_id }) => task_id)).size === 1;
    const whole = await narrateAll(entries, isOneTask ? unasked : taskTraceOf(entries));
    expect(whole.flatMap(({ progress }) => progress).length).toBeGreaterThan(0);
    for (const start of entries.keys())
      expect(await narrateAll(entries.slice(start), taskTraceOf(entries))).toEqual(whole.slice(start));
  });

  it.each(goldenNames)(
    'names the state and phase of each task of %s where an entry changes them, and only there',
    async (name) => {
      const moments = goldenMoments(name);
      const entries = moments.map(({ entry }) => entry);
      const told = await narrateAll(entries, taskTraceOf(entries));
      for (const [i, { before, entry, after }] of moments.entries()) {
        const isSame = before?.state === after.state && phaseOf(before) === phaseOf(after);
        const change = { task_id: entry.task_id, state: after.state, phase: phaseOf(after) };
        expect(told[i]?.stateChange).toEqual(isSame ? null : change);
      }
    },
  );

  it.each(goldenNames)('narrates the steps of %s as it narrates their entries', async (name) => {
    const moments = goldenMoments(name);
    const entries = moments.map(({ entry }) => entry);
    const steps = moments.map(({ before, entry, after }) => shown(narrateStep(entry, before, after)));
    expect(steps).toEqual(await narrateAll(entries, taskTraceOf(entries)));
  });

  it('has no progress of a history that this machine does not fold, and continues with the next task', async () => {
    const entries = read('two-items-with-tools');
    const broken = entries.filter(({ event }) => event.type !== 'plan.made');
    const others = read('straight-answer').map((entry) => ({ ...entry, task_id: 'task_other' }));
    const told = await narrateAll([...broken, ...others], taskTraceOf([...broken, ...others]));
    expect(told.slice(0, broken.length).flatMap(({ progress }) => progress)).toEqual([]);
    expect(told.slice(broken.length).flatMap(({ progress }) => progress).length).toBeGreaterThan(0);
  });

  it('says nothing of what belongs to no task', async () => {
    const event = { type: 'session.forked', from_session_id: 's0', from_task_id: 'task_1', at_seq: 3 } as const;
    const line = { v: 1, seq: 1, at: '2026-01-05T09:00:00.000Z', session_id: 's1', machine: 'tripact-task@1' } as const;
    const entry = { ...line, task_id: null, event, state: null, step_count: null, effects: [] };
    expect(await narrateAll([entry], taskTraceOf([]))).toEqual([
      { entry, stateChange: null, progress: [], task: null },
    ]);
  });
});
