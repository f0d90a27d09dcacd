import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineRun, lineDiff } from '../../src/console/timeline/prompt-diff.ts';

const textOf = (runs: readonly LineRun[], left: LineRun['change']): string =>
  runs.flatMap(({ change, lines }) => (change === left ? [] : lines)).join('\n');

describe('what changed from one prompt to the next', () => {
  it('is said line by line, in several places', () => {
    expect(lineDiff('a\nb\nc\nd\ne', 'a\nB\nc\nd\nd2\ne')).toEqual([
      { change: 'same', lines: ['a'] },
      { change: 'removed', lines: ['b'] },
      { change: 'added', lines: ['B'] },
      { change: 'same', lines: ['c', 'd'] },
      { change: 'added', lines: ['d2'] },
      { change: 'same', lines: ['e'] },
    ]);
  });

  it('has both complete texts', () => {
    const text = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const runs = lineDiff(before, after);
        expect([textOf(runs, 'added'), textOf(runs, 'removed')]).toEqual([before, after]);
      }),
    );
  });
});
