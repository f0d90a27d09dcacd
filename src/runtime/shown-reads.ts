import type { SessionKey } from '../session/image.ts';
import type { Sessions, Store, Tasks, Turns } from '../store/port.ts';

/** Reads of sessions that may be ahead of the sessions in memory. */
type Shown = Pick<Store, 'turn' | 'task' | 'session' | 'entries'>;

/**
 * Makes these reads show nothing that the session in memory does not know yet, such as a question before it can be
 * answered, and no reply before the session's files show it. `settled` resolves once both have caught up.
 */
export const createShownReads = (
  store: Pick<Turns, 'turn'> & Pick<Tasks, 'task'> & Pick<Sessions, 'session' | 'entries'>,
  settled: (key: SessionKey) => Promise<void>,
): Shown => ({
  turn: async (owner, by, value) => {
    const found = await store.turn(owner, by, value);
    if (found !== null) await settled({ owner, session_id: found.turn.session_id });
    return found;
  },
  task: async (owner, taskId) => {
    const found = await store.task(owner, taskId);
    if (found !== null) await settled(found);
    return found;
  },
  session: async (key) => {
    const found = await store.session(key);
    await settled(key);
    return found;
  },
  entries: async (key, ...page) => {
    const found = await store.entries(key, ...page);
    await settled(key);
    return found;
  },
});
