import type { TraceEntry } from '../../contracts/trace.ts';
import { unless } from '../lib/errors.ts';
import { type Decision, isRemoval } from '../session/change.ts';
import { keyText, type SessionKey } from '../session/image.ts';
import type { Store } from '../store/port.ts';
import type { LiveAnswers } from './live-answers.ts';
import { createNotices } from './notices.ts';
import type { Engine } from './port.ts';
import { ENTRIES_A_PAGE } from './reads.ts';

/** Keeps who follows which session, in this process. When `stopping` aborts, all of them end. */
export const createFollowers = (
  store: Pick<Store, 'entries'>,
  readSession: Engine['session'],
  stopping: AbortSignal,
  answers: LiveAnswers,
) => {
  const entries = createNotices<void>();
  const followLive: Engine['followLive'] = async function* (owner, session_id, after, signal, watch = true) {
    const key = { owner, session_id };
    await readSession(owner, session_id);
    const left = new AbortController();
    const ends = AbortSignal.any([signal, stopping, left.signal]);
    const watching = watch ? answers.watch(key) : null;
    let entry: Promise<'entry' | 'end'> | null = null;
    let piece: Promise<'piece' | 'end'> | null = null;
    let seen = after;
    const atEnd = () => 'end' as const;
    try {
      let woken = 'entry';
      do {
        // Waits first and reads then, so that nothing between the two is missed.
        entry ??= entries.next(keyText(key), ends).then(() => 'entry' as const, atEnd);
        if (watching !== null) piece ??= watching.next(ends).then(() => 'piece' as const, atEnd);
        if (woken === 'entry') {
          const found = await store.entries(key, null, seen, ENTRIES_A_PAGE);
          yield* found;
          seen = found.at(-1)?.seq ?? seen;
          if (found.length > 0) continue;
          // It may have been removed before this waited.
          if ((await unless(['SESSION_NOT_FOUND'], readSession(owner, session_id))) === null) return;
        }
        if (watching !== null) yield* watching.news();
        woken = await Promise.race(piece === null ? [entry] : [entry, piece]);
        // Another session may have its name by now.
        if (woken === 'end') return;
        if (woken === 'entry') entry = null;
        else piece = null;
      } while (!ends.aborted);
    } catch (error) {
      // A store that is closed can't be read.
      if (!ends.aborted) throw error;
    } finally {
      // Whoever breaks off a loop over it leaves too.
      left.abort('left');
      watching?.close();
    }
  };
  const follow: Engine['follow'] = (owner, session_id, after, signal) =>
    followLive(owner, session_id, after, signal, false) as AsyncIterable<TraceEntry>;
  return {
    follow,
    followLive,
    watch: ((owner, session_id) => answers.watch({ owner, session_id }).close) satisfies Engine['watch'],
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
