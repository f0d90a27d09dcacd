import type { SessionView } from '../../../contracts/http.ts';
import { getSession } from './routes.ts';
import { openSession } from './session-feed.ts';

/** Props of every pane of a task. A pane shows the entry in `selection.ts`. */
export interface TaskProps {
  session: string;
  task: string;
}

/** Where a session was forked from. */
export type ForkOrigin = NonNullable<SessionView['forked_from']>;

/** The open session, if it has this name. */
const opened = (session: string): SessionView | null =>
  openSession.value?.session_id === session ? openSession.value : null;

/** Asks where a session was forked from; null: it is not a fork. Throws `ApiProblem`. */
export const forkOriginOf = async (session: string): Promise<ForkOrigin | null> =>
  (opened(session) ?? (await getSession(session))).forked_from;

/** Where the open session was forked from; null: it is not a fork, or not loaded yet. */
export const openOrigin = (session: string): ForkOrigin | null => opened(session)?.forked_from ?? null;

/**
 * When the open session was forked, in epoch milliseconds: what is copied from its origin has this time. Null: it is not a
 * fork, or not loaded yet.
 */
export const openForkedAt = (session: string): number | null => {
  const view = opened(session);
  return view === null || view.forked_from === null ? null : Date.parse(view.created_at);
};

/** The task of the open session to show: the chosen one, else its newest. Null: it has none, or is not loaded yet. */
export const taskOfSession = (session: string, chosen: string | null): string | null =>
  chosen ?? opened(session)?.last_task?.id ?? null;
