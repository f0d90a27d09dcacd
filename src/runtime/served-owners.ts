import type { ServedOwners } from '../cluster/port.ts';
import { isStorageFault } from '../lib/errors.ts';
import { keyText, type SessionKey } from '../session/image.ts';
import { SERVICE_HOME, type Store } from '../store/port.ts';
import type { EngineParts } from './engine-parts.ts';
import type { RunningSessions } from './running-sessions.ts';

type Parts = Pick<EngineParts, 'onTaskMoved' | 'filesShown' | 'onSessionRemoved' | 'log'> & {
  store: Pick<Store, 'recover' | 'loadTask'>;
};

/**
 * Resumes the open work of the last process, or of the owner's last home; `wasReleased`: that ended in order. Logs
 * sessions that cannot be loaded.
 */
export const resume = async (
  parts: Parts,
  running: Pick<RunningSessions, 'callbacks' | 'actors' | 'toolRuns' | 'stopping'>,
  owner: string | null = null,
  wasReleased?: boolean,
): Promise<void> => {
  const { store, onTaskMoved, filesShown, onSessionRemoved, log } = parts;
  const { callbacks, actors, toolRuns, stopping } = running;
  const recovered = await store.recover(owner, wasReleased);
  for (const key of recovered.removed) onSessionRemoved(key);
  const broken = new Set<string>();
  const attempt = async (key: SessionKey, load: () => Promise<unknown>): Promise<void> => {
    if (stopping.signal.aborted || broken.has(keyText(key))) return;
    try {
      await load();
    } catch (error) {
      if (stopping.signal.aborted) return;
      // The next attempt to serve the owner repeats all of it.
      if (owner !== null && isStorageFault(error)) throw error;
      broken.add(keyText(key));
      log.error({ err: error, session_id: key.session_id }, 'a session cannot be loaded and is skipped');
    }
  };
  for (const { task_id, ...key } of recovered.moved)
    await attempt(key, async () => {
      const loaded = await store.loadTask(key, task_id);
      if (loaded === null) return;
      onTaskMoved(key, loaded.task, true, []);
      await filesShown?.(key);
    });
  // After the files, which show what is posted.
  callbacks.load(recovered.callbacks);
  for (const key of recovered.sessions) {
    await attempt(key, () => actors.wake(key));
    const image = actors.peek(key);
    if (image !== undefined) await attempt(key, () => toolRuns.endLost(image));
  }
};

/** Creates the engine's work as the home of some owners, which come and go. */
export const createServedOwners = (parts: Parts, running: RunningSessions): ServedOwners => {
  const { ownersHere, callbacks, actors } = running;
  const forget = (owner: string): void => {
    ownersHere.remove(owner);
    callbacks.drop(owner);
  };
  const drop = (owner: string): void => {
    void actors.stopOwner(owner, AbortSignal.abort());
    forget(owner);
  };
  return {
    serve: async (owner, wasReleased) => {
      // A late request may have left something.
      drop(owner);
      ownersHere.add(owner);
      await resume(parts, running, owner, wasReleased);
      callbacks.poll();
    },
    release: async (owner, graceMs) => {
      await actors.stopOwner(owner, AbortSignal.timeout(graceMs));
      forget(owner);
    },
    drop,
    isIdle: (owner) => {
      const isBusy = actors.isBusy(owner) || callbacks.isPending(owner);
      return owner !== SERVICE_HOME && !isBusy && !ownersHere.isFollowed(owner);
    },
  };
};
