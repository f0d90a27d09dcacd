import { EventEmitter, once } from 'node:events';
import type { TraceEntry } from '../../contracts/trace.ts';
import { ServiceError, unless } from '../lib/errors.ts';
import type { SessionStore } from '../store/port.ts';
import { type Decision, isRemoval } from './change.ts';
import type { Engine } from './port.ts';
import { ENTRIES_A_PAGE } from './reads.ts';
import { keyText, type SessionKey } from './session-image.ts';

/** Notifies waiters in this process that something has happened. Every notified change is stored, so a missed notice loses nothing. */
export const createNotices = <News>() => {
  const waiting = new EventEmitter().setMaxListeners(0);
  /** All who wait for the key's next notice get the error. */
  const fail = (key: string, error: unknown): void => {
    waiting.emit(key, (): News => {
      throw error;
    });
  };
  return {
    /** Resolves at the key's next notice; rejects when `signal` aborts, and with `SHUTTING_DOWN` when all are dismissed. */
    next: async (key: string, signal: AbortSignal): Promise<News> => {
      try {
        const [read] = (await once(waiting, key, { signal })) as [() => News];
        return read();
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
    notify: (key: string, news: News): void => void waiting.emit(key, () => news),
    fail,
    /** A caller waits for the key's next notice. */
    isAwaited: (key: string): boolean => waiting.listenerCount(key) > 0,
    /** The service stops: rejects all waiters. */
    dismiss: (): void => {
      const text = 'The service is stopping; ask again for this turn after the restart';
      if (waiting.listenerCount('error') > 0) waiting.emit('error', new ServiceError('SHUTTING_DOWN', text));
    },
  };
};

/** Keeps who follows which session, in this process. When `stopping` aborts, all of them end. */
export const createFollowers = (
  store: Pick<SessionStore, 'entries'>,
  readSession: Engine['session'],
  stopping: AbortSignal,
) => {
  const entries = createNotices<void>();
  const follow: Engine['follow'] = async function* (owner, session_id, after, signal): AsyncGenerator<TraceEntry> {
    const key = { owner, session_id };
    await readSession(owner, session_id);
    const ends = AbortSignal.any([signal, stopping]);
    let news: Promise<boolean> | null = null;
    let seen = after;
    do {
      // Waits first and reads then, so that no entry between the two is missed.
      news ??= entries.next(keyText(key), ends).then(
        () => true,
        () => false,
      );
      const page = await store.entries(key, null, seen, ENTRIES_A_PAGE);
      yield* page.entries;
      seen = page.entries.at(-1)?.seq ?? seen;
      if (page.entries.length > 0) continue;
      // It may have been removed before this waited.
      if ((await unless(['SESSION_NOT_FOUND'], readSession(owner, session_id))) === null) return;
      // Another session may have its name by now.
      if (!(await news)) return;
      news = null;
    } while (!ends.aborted);
  };
  return {
    follow,
    /** Somebody waits for the session's next entry. */
    isFollowed: (key: SessionKey): boolean => entries.isAwaited(keyText(key)),
    /** The session may have entries that nobody was told of. */
    tellReloaded: (session: SessionKey): void => entries.notify(keyText(session), undefined),
    tellFollowers: (decision: Decision): void => {
      const key = keyText(decision.image.session);
      if (isRemoval(decision)) entries.fail(key, new Error('the session was removed'));
      else if (decision.changes.some(({ type }) => type === 'entry.added')) entries.notify(key, undefined);
    },
  };
};
