import type { TraceEntry } from '../../contracts/trace.ts';
import type { SessionStore } from '../store/port.ts';
import { type CommitObserver, isRemoval } from './change.ts';
import { createNotices } from './notices.ts';
import type { Engine } from './port.ts';
import { ENTRIES_A_PAGE } from './reads.ts';
import { keyText, type SessionKey } from './session-key.ts';

/** Who follows which session, in this process. */
export interface Followers {
  follow: Engine['follow'];
  /** Somebody waits for the session's next entry. */
  isFollowed(key: SessionKey): boolean;
  /** Those who follow a session read on. */
  readonly observer: CommitObserver;
}

/** Makes it with nobody following. All who follow are sent to their end when `stopping` aborts. */
export const createFollowers = (
  store: Pick<SessionStore, 'entries' | 'session'>,
  readSession: Engine['session'],
  stopping: AbortSignal,
): Followers => {
  const entries = createNotices<void>();
  /** Sessions removed so far. */
  let removals = 0;
  return {
    isFollowed: (key) => entries.isAwaited(keyText(key)),
    observer: {
      name: 'followers',
      committed: function tellFollowers(decision) {
        const isRemoved = isRemoval(decision);
        if (isRemoved) removals += 1;
        if (isRemoved || decision.changes.some(({ type }) => type === 'entry.added'))
          entries.notify(keyText(decision.image.session), undefined);
      },
    },
    follow: async function* (owner, session_id, after, signal): AsyncGenerator<TraceEntry> {
      const key = { owner, session_id };
      const { created_at } = await readSession(owner, session_id);
      let known = removals;
      const ends = AbortSignal.any([signal, stopping]);
      let news: Promise<void> | null = null;
      let seen = after;
      do {
        // Waits first and reads then, so that no entry between the two is missed.
        news ??= entries.next(keyText(key), ends).catch(() => {});
        const page = await store.entries(key, seen, ENTRIES_A_PAGE);
        yield* page.entries;
        seen = page.entries.at(-1)?.seq ?? seen;
        if (page.entries.length > 0) continue;
        if (known !== removals) {
          known = removals;
          // Another session may have its name by now.
          if ((await store.session(key))?.created_at !== created_at) return;
        }
        await news;
        news = null;
      } while (!ends.aborted);
    },
  };
};
