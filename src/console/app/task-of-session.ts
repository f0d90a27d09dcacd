import { useEffect } from 'preact/hooks';
import { useResource } from '../api/resource.ts';
import { getSession } from '../api/routes.ts';
import { takeFeed } from '../api/session-feed.ts';
import { sessionTitle } from './page.ts';

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

/** Asks where a session was forked from; null: it is no fork. Throws `ApiProblem`. */
export const forkOriginOf = async (session: string, signal: AbortSignal): Promise<ForkOrigin | null> => {
  const { forked_from } = await getSession(session, signal);
  return forked_from && { session: forked_from.session_id, task: forked_from.task_id, seq: forked_from.seq };
};

/** Loads where a session was forked from; null: it is no fork. */
export const useForkOrigin = (session: string) =>
  useResource((signal) => forkOriginOf(session, signal), [session]).loaded;

/** The task to show of a session: the chosen one, else its newest, also when another is opened meanwhile. Null: it has none yet, or it is not known yet. */
export const useTaskOfSession = (session: string, chosen: string | null): string | null => {
  const loading = useResource((signal) => getSession(session, signal), [session]);
  useEffect(() => {
    const { feed, release } = takeFeed(session);
    const stop = feed.listen((messages) => {
      if (messages.some(({ event, data }) => event === 'trace' && data.event.type === 'task.opened')) loading.reload();
    });
    return () => {
      stop();
      release();
    };
  }, [session, loading]);
  const view = loading.loaded.value.value;
  const title = view?.title ?? null;
  useEffect(() => {
    sessionTitle.value = title;
  }, [title]);
  return chosen ?? view?.last_task?.id ?? null;
};
