import { useEffect } from 'preact/hooks';
import { useResource } from '../api/resource.ts';
import { getSession } from '../api/routes.ts';
import { takeFeed } from '../api/session-feed.ts';

/** The task to show of a session: the chosen one, else its newest, also when another is opened meanwhile. Null: it has none yet, or it is not known yet. */
export const useTaskOfSession = (session: string, chosen: string | null): string | null => {
  const newest = useResource(
    async (signal) => (chosen === null ? ((await getSession(session, signal)).last_task?.id ?? null) : null),
    [session, chosen],
  );
  useEffect(() => {
    if (chosen !== null) return;
    const { feed, release } = takeFeed(session);
    const stop = feed.listen((messages) => {
      if (messages.some(({ event, data }) => event === 'trace' && data.event.type === 'task.opened')) newest.reload();
    });
    return () => {
      stop();
      release();
    };
  }, [session, chosen, newest]);
  return chosen ?? newest.loaded.value.value ?? null;
};
