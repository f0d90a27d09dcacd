import { describe, expect, it } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { consoleLanguage } from './console-language.ts';

await consoleLanguage();
const { isListed, stateOf } = await import('../../src/console/sessions/session-filter.ts');

const session = (session_id: string, state: string | null, title = ''): SessionView =>
  ({
    session_id,
    title,
    active_task: state === null ? null : { state, outcome: null, goal: title },
  }) as SessionView;

const paused = new Set(['stopped']);
const all = [
  session('works', 'thinking', 'Buy milk'),
  session('asks', 'awaiting_user', 'Call Ann'),
  session('stopped', null, 'Buy bread'),
  session('rests', null),
];

const listed = (state: 'all' | 'running' | 'waiting' | 'paused' | 'idle', words = ''): string[] =>
  all.filter((each) => isListed(each, { words, state }, paused)).map(({ session_id }) => session_id);

describe('the list of sessions', () => {
  it('tells a session with a paused task from one that is idle', () => {
    expect(all.map((each) => stateOf(each, paused))).toEqual(['thinking', 'awaiting_user', 'paused', 'idle']);
  });

  it('is filtered by state and by words of name and goal', () => {
    expect(listed('all')).toEqual(['works', 'asks', 'stopped', 'rests']);
    expect(listed('running')).toEqual(['works']);
    expect(listed('waiting')).toEqual(['asks']);
    expect(listed('paused')).toEqual(['stopped']);
    expect(listed('idle')).toEqual(['rests']);
    expect(listed('all', 'BUY')).toEqual(['works', 'stopped']);
    expect(listed('paused', 'buy milk')).toEqual([]);
  });
});
