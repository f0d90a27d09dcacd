import { useResource } from '../api/resource.ts';
import { getSession } from '../api/routes.ts';

/** Where a session was forked from. */
export interface ForkOrigin {
  session: string;
  task: string;
  /** The entry of the original that it goes on from. */
  seq: number;
}

/** Asks where a session was forked from; null: it is no fork. Throws `ApiProblem`. */
export const forkOriginOf = async (session: string, signal: AbortSignal): Promise<ForkOrigin | null> => {
  const { forked_from } = await getSession(session, signal);
  return forked_from && { session: forked_from.session_id, task: forked_from.task_id, seq: forked_from.seq };
};

/** Loads where a session was forked from; null: it is no fork. */
export const useForkOrigin = (session: string) =>
  useResource((signal) => forkOriginOf(session, signal), [session]).loaded;
