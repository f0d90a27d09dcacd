import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { createTaskFold } from '../../src/console/fold/task-fold.ts';
import { createTraceFold } from '../../src/history/trace.ts';
import { goldenLines, goldenNames } from '../support/golden/files.ts';

const entriesOf = (name: string, task = 'task_1'): TraceEntry[] =>
  (goldenLines(name) as unknown as TraceEntry[]).filter(({ task_id }) => task_id === task);

const foldAll = (entries: readonly TraceEntry[]) => {
  const fold = createTaskFold(entries);
  while (fold.foldNext());
  return fold;
};

describe('a folded task', () => {
  it.each([...goldenNames])('of %s equals a replay at any entry, in any order of requests', (name) => {
    const entries = entriesOf(name);
    const fold = foldAll(entries);
    expect(fold.folded.value).toBe(entries.length);
    const trace = createTraceFold((text) => hash('sha256', text));
    const steps = entries.map((entry) => trace.fold(entry));
    for (let i = entries.length - 1; i >= 0; i -= 3) {
      const step = steps[i]!;
      if (!step.ok) throw new Error(step.message);
      expect(fold.taskAt(i)).toEqual(step.step?.task);
      expect(fold.taskAt(i - 1)).toEqual(step.before);
    }
  });

  it('counts the transitions up to an entry', () => {
    const entries = entriesOf('two-items-with-tools');
    const fold = foldAll(entries);
    expect(fold.countsAt(0)).toEqual(new Map([['open.working.opened always 4', 1]]));
    expect(fold.countsAt(entries.length - 1).get('open.working.outer.inner.acting observation.recorded 0')).toBe(2);
  });

  it('stops at the first difference and names it', () => {
    const entries = entriesOf('two-items-with-tools');
    entries[4] = { ...entries[4], state: 'acting' } as TraceEntry;
    const fold = foldAll(entries);
    expect(fold.folded.value).toBe(4);
    expect(fold.difference.value).toMatchObject({ seq: 5, expected: 'replanning', actual: 'acting' });
  });
});
