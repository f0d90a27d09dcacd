import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffRun, lineDiff } from '../../src/console/timeline/prompt-diff.ts';
import { wordDiff } from '../../src/console/timeline/word-diff.ts';

const textOf = (runs: readonly DiffRun[], left: DiffRun['change']): string =>
  runs.flatMap(({ change, parts }) => (change === left ? [] : parts)).join('\n');

describe('what changed from one prompt to the next', () => {
  it('is said line by line, in several places', () => {
    expect(lineDiff('a\nb\nc\nd\ne', 'a\nB\nc\nd\nd2\ne')).toEqual([
      { change: 'same', parts: ['a'] },
      { change: 'removed', parts: ['b'] },
      { change: 'added', parts: ['B'] },
      { change: 'same', parts: ['c', 'd'] },
      { change: 'added', parts: ['d2'] },
      { change: 'same', parts: ['e'] },
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

describe('what differs between two answers', () => {
  it('is said word by word, with the spaces between, in any language', () => {
    expect(wordDiff('Add tea now.', 'Add coffee now.')).toEqual([
      { change: 'same', parts: ['Add', ' '] },
      { change: 'removed', parts: ['tea'] },
      { change: 'added', parts: ['coffee'] },
      { change: 'same', parts: [' ', 'now', '.'] },
    ]);
    expect(wordDiff('今天天气很好', '今天天气不好').map(({ change }) => change)).toContain('same');
  });
});
