import type { AnswerNews } from '../../contracts/stream.ts';
import { narrate } from '../history/narrate.ts';
import { Narration } from '../history/narration.ts';
import type { SessionKey } from '../session/image.ts';
import type { Store } from '../store/port.ts';
import { type Feed, type FeedItem, isNews } from './feed.ts';
import type { LiveAnswers } from './live-answers.ts';
import type { OwnersHere } from './owners-here.ts';
import type { Engine } from './port.ts';
import { ENTRIES_A_PAGE, noSession } from './reads.ts';

interface Parts {
  feed: Feed;
  answers: LiveAnswers;
  store: Pick<Store, 'session' | 'entries'>;
  taskTrace: Engine['taskTrace'];
  ownersHere: Pick<OwnersHere, 'until' | 'addFollower'>;
  /** All followers end when it aborts. */
  stopping: AbortSignal;
}

const seqOf = (item: Exclude<FeedItem, AnswerNews>): number => (item instanceof Narration ? item.entry.seq : item.seq);

/**
 * Creates the followers of sessions. A follower reads the store up to where the feed continues, and again if it was too
 * slow for the feed.
 */
export const createFollowers = ({ feed, answers, store, taskTrace, ownersHere, stopping }: Parts) => {
  /**
   * A session's entries after `after`, without gaps or repetition, and with `isWatching` also what models write between
   * them. Ends when `signal` aborts or the session is removed.
   */
  async function* items(
    session: SessionKey,
    after: number,
    signal: AbortSignal,
    isWatching: boolean,
  ): AsyncGenerator<FeedItem> {
    const { owner, session_id } = session;
    const ends = AbortSignal.any([ownersHere.until(owner, signal), stopping]);
    // Subscribes before reading, so that nothing in between is missed.
    const subscription = feed.subscribe(session, isWatching);
    const end = (): void => subscription.end();
    ends.addEventListener('abort', end);
    if (ends.aborted) end();
    const watching = isWatching ? answers.watch(session) : null;
    if (watching?.written) subscription.push([watching.written]);
    const removeFollower = ownersHere.addFollower(owner);
    let seen = after;
    try {
      if ((await store.session(session)) === null) throw noSession(session_id);
      do {
        if (subscription.catchesUp()) {
          const page = await store.entries(session, null, seen, ENTRIES_A_PAGE);
          // Another session may have the name of a removed one.
          if (subscription.isEnded && !ends.aborted) return;
          yield* page;
          seen = page.at(-1)?.seq ?? seen;
          if (page.length === ENTRIES_A_PAGE) subscription.fallBehind();
        }
        for (const item of subscription.take()) {
          if (!isNews(item)) {
            if (seqOf(item) <= seen) continue;
            seen = seqOf(item);
          }
          yield item;
        }
        await subscription.more();
      } while (!subscription.isEnded);
    } catch (error) {
      // A closed store cannot be read.
      if (!ends.aborted) throw error;
    } finally {
      ends.removeEventListener('abort', end);
      feed.leave(session, subscription);
      watching?.close();
      removeFollower();
    }
  }

  const follow: Engine['follow'] = async function* (owner, session_id, after, signal) {
    for await (const item of items({ owner, session_id }, after, signal, false))
      if (item instanceof Narration) yield item.entry;
      else if (!isNews(item)) yield item;
  };
  const followLive: Engine['followLive'] = (owner, session_id, after, signal, isWatching = true) =>
    narrate(items({ owner, session_id }, after, signal, isWatching), (taskId) => taskTrace(owner, taskId));
  return {
    follow,
    followLive,
    watch: ((owner, session_id) => answers.watch({ owner, session_id }).close) satisfies Engine['watch'],
  };
};
