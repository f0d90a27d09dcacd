import { expect, it } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { groupSessions } from '../../src/console/list/session-groups.ts';

const NOW = new Date(2026, 10, 27, 12).getTime();

const session = (session_id: string, used: Date, from?: string, made = 0): SessionView =>
  ({
    session_id,
    created_at: new Date(made).toISOString(),
    updated_at: used.toISOString(),
    forked_from: from === undefined ? null : { session_id: from, task_id: 'task_1', seq: 1 },
  }) as SessionView;

const shown = (sessions: SessionView[]) =>
  groupSessions(sessions, NOW).map(({ span, rows }) => [
    span,
    ...rows.map(({ session: { session_id }, depth }) => '>'.repeat(depth) + session_id),
  ]);

it('sessions are grouped by the day of their last use, and older ones by month', () => {
  const sessions = [
    session('now', new Date(2026, 10, 27, 11)),
    session('midnight', new Date(2026, 10, 27)),
    session('evening', new Date(2026, 10, 26, 23, 59)),
    session('week', new Date(2026, 10, 20)),
    session('november', new Date(2026, 10, 19)),
    session('october', new Date(2026, 9, 31)),
    session('last-year', new Date(2025, 9, 31)),
  ];
  expect(shown(sessions)).toEqual([
    ['today', 'now', 'midnight'],
    ['yesterday', 'evening'],
    ['week', 'week'],
    ['month', 'november'],
    ['month', 'october'],
    ['month', 'last-year'],
  ]);
});

it('forks stand below their origin, where the newest of them was used', () => {
  const at = (hour: number) => new Date(2026, 10, 27, hour);
  const sessions = [
    session('fork-of-fork', at(11), 'fork', 2),
    session('alone', at(10), 'not-listed'),
    session('fork', at(9), 'origin', 1),
    session('origin', new Date(2026, 8, 1)),
  ];
  expect(shown(sessions)).toEqual([['today', 'origin', '>fork-of-fork', '>fork', 'alone']]);
  // Its origin was deleted, and the name given again.
  expect(shown([session('a', at(2), 'b', 1), session('b', at(1), 'a', 2)])).toEqual([['today', 'a', '>b']]);
});
