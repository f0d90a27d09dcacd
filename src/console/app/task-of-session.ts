import { useEffect } from 'preact/hooks';
import { useResource } from '../api/resource.ts';
import { getSession } from '../api/routes.ts';
import { takeFeed } from '../api/session-feed.ts';
import { sessionTitle } from './page.ts';

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
