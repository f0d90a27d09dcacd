import { type SessionView, WaitingState, type WaitingTask } from '../../contracts/http.ts';
import { type ListOptions, type Lists, openLists, pageWanted, printList, shownTime } from './lists.ts';
import { serviceWords } from './open-service.ts';
import { waitsFor } from './waits-for.ts';

/** Waiting tasks that are read at once. */
const WAITING_PAGE = 500;

/** What waits in each session: the task that asks, else the one that was paused last. */
const waitingBySession = async ({ waiting }: Lists): Promise<Map<string, WaitingTask>> => {
  const found = new Map<string, WaitingTask>();
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await waiting(WaitingState.options, {
      limit: WAITING_PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const item of items)
      if (found.get(item.session_id)?.task.state !== 'awaiting_user') found.set(item.session_id, item);
    if (next === null) return found;
    cursor = next;
  }
};

const row = (session: SessionView, waiting: WaitingTask | undefined, timezone: string): string[] => {
  const { session_id, active_task, queue, updated_at } = session;
  const task = active_task ?? waiting?.task ?? null;
  const state = task?.state ?? (queue.length > 0 ? 'queued' : 'idle');
  const question = task?.state === 'awaiting_user' ? (waiting?.question ?? null) : null;
  return [session_id, state, shownTime(updated_at, timezone), task === null ? '' : waitsFor(task, question)];
};

/** `tripact sessions`: the sessions, the most recently used first, with what each waits for. */
export const showSessions = async (options: ListOptions): Promise<void> => {
  const wanted = pageWanted(options);
  const isJson = options.json === true;
  const lists = await openLists(options);
  try {
    const page = await lists.sessions(wanted);
    const waiting = isJson || page.items.length === 0 ? new Map<string, WaitingTask>() : await waitingBySession(lists);
    const format = {
      titles: ['SESSION', 'STATE', 'LAST USED', 'WAITS FOR'],
      rowOf: (session: SessionView) => row(session, waiting.get(session.session_id), lists.timezone),
      none: 'There are no sessions',
      again: ['sessions', ...serviceWords(options)],
    };
    printList(page, format, isJson);
  } finally {
    await lists.close();
  }
};
