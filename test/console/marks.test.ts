import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { marksOf, thinned } from '../../src/console/scrubber/marks.ts';
import { goldenLines } from '../support/golden/files.ts';

const written = (name: string): string[] => {
  const entries = goldenLines(name) as unknown as TraceEntry[];
  return marksOf(entries).map(({ index, kind }) => `${entries[index]!.event.type}: ${kind}`);
};

describe('the marks of a history', () => {
  it('are its questions, replans and its end', () => {
    expect(written('ask-and-answer')).toContain('thought.made: question');
    expect(written('two-items-with-tools')).toEqual(['replan.made: replan', 'replan.made: end']);
  });

  it('are its failures and pauses', () => {
    expect(written('tool-failure')).toContain('observation.recorded: failure');
    expect(written('reads-side-by-side').slice(0, 1)).toEqual(['observations.recorded: failure']);
    expect(written('model-unavailable-and-resume')).toContain('model.unavailable: pause');
  });

  it('are reduced to the most important if there are too many to draw', () => {
    const marks = [
      { index: 0, kind: 'replan' },
      { index: 1, kind: 'question' },
      { index: 2, kind: 'failure' },
      { index: 99, kind: 'end' },
    ] as const;
    expect(thinned(marks, 100, 10)).toEqual([marks[1], marks[3]]);
  });
});
