import { type SessionView, WaitingState, type WaitingTask } from '../../contracts/http.ts';
import { type ListOptions, type Lists, note, openLists, pageWanted, printList, shownTime } from './lists.ts';
import { serviceWords } from './open-service.ts';
import { waitsFor } from './waits-for.ts';

/** Waiting tasks that are read at once. */
const WAITING_PAGE = 500;

/** Pages of them that are read: what is no service of ours may have one after another for ever. */
const WAITING_PAGES_MAX = 200;

/** What waits in each of these sessions: the task that asks, else the one that was paused last. Says so where not all that waits was read. */
const waitingBySession = async (
  { waiting }: Lists,
  sessions: ReadonlySet<string>,
): Promise<Map<string, WaitingTask>> => {
  const found = new Map<string, WaitingTask>();
  let cursor: string | undefined;
  for (let page = 0; page < WAITING_PAGES_MAX; page += 1) {
    const { items, next } = await waiting(WaitingState.options, {
      limit: WAITING_PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const item of items)
      if (sessions.has(item.session_id) && found.get(item.session_id)?.task.state !== 'awaiting_user')
        found.set(item.session_id, item);
    if (next === null) return found;
    cursor = next;
  }
  note(`More waits than ${WAITING_PAGES_MAX} pages of it: WAITS FOR is not complete`);
  return found;
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
    const shown = new Set(isJson ? [] : page.items.map(({ session_id }) => session_id));
    const waiting = shown.size === 0 ? new Map<string, WaitingTask>() : await waitingBySession(lists, shown);
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
