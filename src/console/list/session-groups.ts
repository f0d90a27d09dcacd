import type { SessionView } from '../../../contracts/http.ts';

/** A session in the list, and its depth below the session that it was forked from: 0 or 1. */
export interface SessionRow {
  session: SessionView;
  depth: 0 | 1;
}

/** The sessions of one day, or of one month if that is longer ago. */
export interface SessionGroup {
  /** The beginning of its day or month, in epoch milliseconds. */
  at: number;
  span: 'today' | 'yesterday' | 'week' | 'month';
  rows: SessionRow[];
}

const DAYS_OF_WEEK = 7;

const spanOf = (at: number, now: number): Pick<SessionGroup, 'at' | 'span'> => {
  const day = new Date(at).setHours(0, 0, 0, 0);
  const today = new Date(now);
  const daysAgo = (days: number): number => new Date(now).setHours(-24 * days, 0, 0, 0);
  if (day >= today.setHours(0, 0, 0, 0)) return { at: day, span: 'today' };
  if (day >= daysAgo(1)) return { at: day, span: 'yesterday' };
  if (day >= daysAgo(DAYS_OF_WEEK)) return { at: daysAgo(DAYS_OF_WEEK), span: 'week' };
  const month = new Date(day);
  return { at: new Date(month.getFullYear(), month.getMonth()).getTime(), span: 'month' };
};

/**
 * Sessions by the day of their last use, newest first. Forks are below their origin if that is listed, in the group of
 * the newest of them.
 */
export const groupSessions = (sessions: readonly SessionView[], now: number): SessionGroup[] => {
  const byName = new Map(sessions.map((session) => [session.session_id, session]));
  const rootOf = (session: SessionView): SessionView => {
    const origin = byName.get(session.forked_from?.session_id ?? '');
    // A younger session has reused the name of a deleted origin.
    return origin === undefined || origin.created_at >= session.created_at ? session : rootOf(origin);
  };
  const groups: SessionGroup[] = [];
  for (const [root, family] of Map.groupBy(sessions, rootOf)) {
    const span = spanOf(Date.parse(family[0]!.updated_at), now);
    if (groups.at(-1)?.at !== span.at) groups.push({ ...span, rows: [] });
    const forks = family.filter((session) => session !== root);
    groups.at(-1)?.rows.push({ session: root, depth: 0 }, ...forks.map((session) => ({ session, depth: 1 as const })));
  }
  return groups;
};
