import type { SessionView } from '../../../contracts/http.ts';
import { getSession } from '../api/routes.ts';
import { openSession } from '../api/session-feed.ts';

/** Props of every pane of a task. A pane shows the entry in `selection.ts`. */
export interface TaskProps {
  session: string;
  task: string;
}

/** Where a session was forked from. */
export interface ForkOrigin {
  session: string;
  task: string;
  /** The entry of the original that it goes on from. */
  seq: number;
}

const originIn = (view: SessionView | null): ForkOrigin | null => {
  const from = view?.forked_from ?? null;
  return from && { session: from.session_id, task: from.task_id, seq: from.seq };
};

/** The open session, where it is the one of this name. */
const opened = (session: string): SessionView | null =>
  openSession.value?.session_id === session ? openSession.value : null;

/** Asks where a session was forked from; null: it is no fork. Throws `ApiProblem`. */
export const forkOriginOf = async (session: string): Promise<ForkOrigin | null> =>
  originIn(opened(session) ?? (await getSession(session)));

/** Where the open session was forked from; null: it is no fork, or not loaded yet. */
export const openOrigin = (session: string): ForkOrigin | null => originIn(opened(session));

/** The task to show of the open session: the chosen one, else its newest. Null: it has none, or is not loaded yet. */
export const taskOfSession = (session: string, chosen: string | null): string | null =>
  chosen ?? opened(session)?.last_task?.id ?? null;
