import { describe, expect, it } from 'vitest';
import { sourcesOf } from '../../src/console/chat/sources.ts';
import type { Step } from '../../src/console/chat/steps.ts';
import { writtenIn } from '../../src/console/chat/written-files.ts';

const step = (input: string, result: string, more: Partial<Step> = {}): Step => ({
  ...{ key: '1', effect: 1, kind: 'tool', state: 'done', tool: 'web', items: [], seq: 1, began: 0, ended: 1 },
  input,
  result,
  ...more,
});

describe('the sources of an answer', () => {
  it('are addresses that it names and that a tool was asked for or gave, in its order', () => {
    const steps = [
      step('{"url":"https://a.example/returns"}', 'See https://b.example/x?y=1, and [more](https://c.example/).'),
      step('https://d.example', 'gone', { state: 'failed' }),
    ];
    const answer =
      'By [C](https://c.example), https://b.example/x?y=1. Also (https://a.example/returns/) and https://d.example and https://e.example';
    expect(sourcesOf(answer, steps)).toEqual([
      'https://c.example',
      'https://b.example/x?y=1',
      'https://a.example/returns/',
    ]);
  });

  it('keep brackets that belong to them, end at Chinese punctuation, and are listed once', () => {
    const steps = [step('https://en.example/wiki/Tea_(drink)', '见 https://zh.example/茶。')];
    expect(
      sourcesOf('https://en.example/wiki/Tea_(drink) 和 https://zh.example/茶，https://zh.example/茶', steps),
    ).toEqual(['https://en.example/wiki/Tea_(drink)', 'https://zh.example/茶']);
    expect(sourcesOf('javascript:alert(1) ftp://a.example', [step('ftp://a.example', '')])).toEqual([]);
  });
});

it('the files of an answer are those that were written in its turn, without those of the service and of the user', () => {
  const file = (path: string, at: string) => ({ path, size: 1, modified_at: `2026-01-05T10:00:${at}Z` });
  const turn = {
    created_at: '2026-01-05T10:00:10Z',
    finished_at: '2026-01-05T10:00:20Z',
    files: [{ path: 'files/sent.png', sha256: 'x', media_type: 'image/png', bytes: 1 }],
  };
  const all = [
    ...[file('before.md', '09'), file('notes/a.md', '10'), file('files/sent.png', '11'), file('plan.json', '12')],
    ...[file('plan.task_1.json', '12'), file('MISSION.md', '12'), file('chart.png', '20'), file('after.md', '21')],
  ];
  expect(writtenIn(all, turn).map(({ path }) => path)).toEqual(['notes/a.md', 'chart.png']);
  expect(writtenIn(all, { ...turn, finished_at: null })).toEqual([]);
});
