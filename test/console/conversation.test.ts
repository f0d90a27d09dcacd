import { afterEach, describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import { planDifferences, planVersions } from '../../src/console/task/plan-versions.ts';
import { goldenLines } from '../support/golden/files.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { completionsOf } = await import('../../src/console/chat/completions.ts');
const { situationOf, skippedBehind, turnsUntil, withPage } = await import('../../src/console/chat/conversation.ts');
const { relativeTime } = await import('../../src/console/design/time.tsx');

const turn = (id: string, more: Partial<TurnView> = {}): TurnView => ({
  id,
  session_id: 's1',
  task_id: 't1',
  kind: 'task',
  input: id,
  status: 'answered',
  output: 'ok',
  question: null,
  options: null,
  approval: null,
  task: null,
  created_at: '2026-01-05T09:00:00.000Z',
  finished_at: '2026-01-05T09:00:10.000Z',
  ...more,
});

describe('the turns of a conversation', () => {
  it('are joined with a newer page, which has the newest first', () => {
    const known = [turn('a'), turn('b', { status: 'running' })];
    const page = [turn('c'), turn('b')];
    expect(withPage(known, page).map(({ id, status }) => [id, status])).toEqual([
      ['a', 'answered'],
      ['b', 'answered'],
      ['c', 'answered'],
    ]);
  });

  it('are shown as they stood at a moment: without later ones, and without replies that had not come', () => {
    const turns = [
      turn('a'),
      turn('b', { created_at: '2026-01-05T09:01:00.000Z', finished_at: '2026-01-05T09:02:00.000Z' }),
    ];
    const at = (time: string) => turnsUntil(turns, Date.parse(time)).map(({ id, output }) => [id, output]);
    expect(at('2026-01-05T09:00:05.000Z')).toEqual([['a', null]]);
    expect(at('2026-01-05T09:01:30.000Z')).toEqual([
      ['a', 'ok'],
      ['b', null],
    ]);
    expect(turnsUntil(turns, null)).toBe(turns);
  });
});

describe('a goal that was skipped', () => {
  it('is placed after the newest turn before it', () => {
    const [a, b] = [turn('a'), turn('b', { created_at: '2026-01-05T10:00:00.000Z' })];
    const skipped = ['08:00', '09:30', '10:00'].map((time) => ({ at: `2026-01-05T${time}:00.000Z` }));
    expect(skippedBehind(skipped, a, b)).toEqual([skipped[1]]);
    expect(skippedBehind(skipped, b, undefined)).toEqual([skipped[2]]);
  });
});

describe('a session whose task asks', () => {
  it('shows that question, whatever goal on a schedule waits behind it', () => {
    const asking = turn('a', { status: 'asking', question: 'Why?' });
    const goal = turn('b', { kind: 'goal', status: 'queued', task_id: null, finished_at: null });
    const active = { id: 't1', state: 'awaiting_user' } as TaskView;
    expect(situationOf([asking, goal], active)).toMatchObject({ mode: 'answer', asking });
  });
});

describe('slash commands', () => {
  const commands = ['/todo', '/tool', '/tools', '/plan'];

  it.each([
    ['/', commands],
    ['/to', ['/todo', '/tool', '/tools']],
    ['/tool', ['/tool', '/tools']],
    ['/plan', []],
    ['a /to', []],
  ])('that %j may become are %j', (text, found) => {
    expect(completionsOf(text, commands)).toEqual(found);
  });
});

describe('the difference of two plans', () => {
  const item = (step: string, status: 'not_started' | 'completed' | 'blocked' | 'dropped' = 'not_started') => ({
    id: step,
    step,
    status,
    executor: 'default',
    depends_on: [],
    result: null,
  });

  it('covers open items: an ended one is neither added nor removed', () => {
    const before = [item('a', 'completed'), item('b'), item('c'), item('d')];
    const after = [item('a', 'completed'), item('b', 'completed'), item('d'), item('e')];
    expect(planDifferences(before, after)).toEqual([
      { step: 'd', change: 'kept' },
      { step: 'e', change: 'added' },
      { step: 'c', change: 'removed' },
    ]);
  });

  it('counts a repeated step twice', () => {
    expect(planDifferences([item('a')], [item('a'), item('a')]).map(({ change }) => change)).toEqual(['kept', 'added']);
  });

  it('is of each entry that changed a plan, but not of the first one, nor of the replan that ends the task', () => {
    const entries = goldenLines('two-items-with-tools') as unknown as TraceEntry[];
    const changes = () =>
      planVersions(entries).map(({ entry, replans }) => `${entry.seq} ${entry.event.type} ${replans}`);
    expect(changes()).toEqual([]);
    Object.assign(entries[5]!.event, { plan: ['Something else'] });
    expect(changes()).toEqual(['6 replan.made 1']);
  });
});

describe('a relative time', () => {
  const now = Date.parse('2026-03-05T09:00:00.000Z');
  const ago = (ms: number) => relativeTime(now - ms, now);
  afterEach(() => speak('en'));

  it.each([
    [-60_000, null],
    [30_000, '30 s ago'],
    [90 * 60_000, '1 h ago'],
  ])('of %d ms is %j', (ms, text) => {
    expect(ago(ms)).toBe(text);
  });

  it.each([
    ['en', 'in 3 h'],
    ['zh', '3 小时后'],
  ] as const)('of what is to come is ahead in %s', (language, text) => {
    speak(language);
    expect(relativeTime(now + 3 * 60 * 60_000, now, true)).toBe(text);
  });

  it('is a date after a month, and in the language of the page', () => {
    expect(ago(40 * 24 * 60 * 60_000)).toBe('Jan 24, 2026');
    expect(ago(25 * 60 * 60_000)).toBe('1 day ago');
    speak('zh');
    expect(ago(30_000)).toBe('30 秒前');
  });
});
