import type { SessionView } from '../../../contracts/http.ts';
import { path, send } from '../api/request.ts';
import { listsReloaded } from '../api/resource.ts';
import { messageOf } from '../design/loaded.tsx';
import { doUnlessUndone } from '../state/notices.ts';
import { texts } from './texts.ts';

/** How a session that is deleted is called in lists of what is left out. */
export const leavingSession = (session: string): string => `session/${session}`;

/** Deletes one after the other, also after one that is refused; throws the first refusal. */
const deleteAll = async (names: readonly string[]): Promise<void> => {
  const refusals: unknown[] = [];
  for (const name of names)
    await send(path`/v1/sessions/${name}`, { method: 'DELETE' }).catch((error: unknown) => refusals.push(error));
  await listsReloaded();
  if (refusals.length > 0) throw refusals[0];
};

/** The same at once, by requests that outlive the page. */
const deleteAllAtOnce = (names: readonly string[]): Promise<unknown> =>
  Promise.all(names.map((name) => send(path`/v1/sessions/${name}`, { method: 'DELETE', keepalive: true })));

/** Deletes sessions with their history and files, unless the user takes that back within some seconds. */
export const deleteSessions = (
  sessions: readonly Pick<SessionView, 'session_id' | 'title'>[],
  restored?: () => void,
): void => {
  const names = sessions.map(({ session_id }) => session_id);
  const title = sessions[0]?.title ?? names[0] ?? '';
  doUnlessUndone({
    text: names.length === 1 ? texts.value.deleted(title) : texts.value.deletedSeveral(names.length),
    things: names.map(leavingSession),
    send: (isLast) => (isLast ? deleteAllAtOnce(names) : deleteAll(names)),
    ...(restored !== undefined && { restored }),
    failed: (error) => texts.value.notDeleted(messageOf(error)),
  });
};
