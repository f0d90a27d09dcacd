import { useEffect } from 'preact/hooks';
import { useResource } from '../api/resource.ts';
import { getSession, listTasks } from '../api/routes.ts';
import { takeFeed } from '../api/session-feed.ts';

/** Most tasks of one page of the list, as the API allows it. */
const PAGE_MAX = 500;

/** The session's newest task: the active one, else the last that ended. */
const newestTask = async (session: string, signal: AbortSignal): Promise<string | null> => {
  const { active_task } = await getSession(session, signal);
  if (active_task !== null) return active_task.id;
  let last: string | null = null;
  let cursor: string | null = null;
  do {
    const { tasks, next } = await listTasks(session, { limit: PAGE_MAX, cursor, signal });
    last = tasks.at(-1)?.id ?? last;
    cursor = next;
  } while (cursor !== null);
  return last;
};

/** The task to show of a session: the chosen one, else its newest, also when another is opened meanwhile. Null: it has none yet, or it is not known yet. */
export const useTaskOfSession = (session: string, chosen: string | null): string | null => {
  const newest = useResource(
    async (signal) => (chosen === null ? newestTask(session, signal) : null),
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
