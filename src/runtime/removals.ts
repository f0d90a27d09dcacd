import { ServiceError } from '../lib/errors.ts';
import type { Page } from '../lib/page.ts';
import type { SessionKey } from '../session/image.ts';
import type { RemovableSession, Store } from '../store/port.ts';
import type { Engine, PruneOptions } from './port.ts';
import { noSession } from './reads.ts';
import type { PostInput, SessionActors } from './session-actors.ts';

/** Sessions examined and removed at once: each is loaded. */
const PRUNE_BATCH = 10;

/** Sessions of an owner removed at once: each is loaded. */
const SESSIONS_REMOVED = 10;

interface Parts {
  store: Pick<Store, 'removable' | 'sessions' | 'removeOwner'> & { audit: Pick<Store['audit'], 'hashesOf'> };
  actors: Pick<SessionActors, 'images'>;
  post: PostInput;
  isFollowed(session: SessionKey): boolean;
}

/** Creates the removals of an engine: one session, old ones, or everything of an owner. */
export const createRemovals = ({ store, actors, post, isFollowed }: Parts) => {
  /** Removes a session unless something of it is open. The hashes of its acts are read before, page by page. */
  const removeOne = async (
    key: SessionKey,
    { before, includeWaiting }: Pick<PruneOptions, 'before' | 'includeWaiting'>,
  ) => post(key, { type: 'removal', before, includeWaiting, hashes: await store.audit.hashesOf(key) });

  const remove: Engine['remove'] = async (owner, session_id) => {
    const { changes, image } = await removeOne(
      { owner, session_id },
      { before: Number.POSITIVE_INFINITY, includeWaiting: true },
    );
    if (changes.length > 0) return;
    if (!image.isStored) throw noSession(session_id);
    throw new ServiceError(
      'TASK_RUNNING',
      'A task of this session runs or a turn waits; wait for its end, or cancel it',
    );
  };

  /**
   * Removes old sessions while the service runs. One that runs, is followed or has its home elsewhere stays. Throws the
   * first fault at the end.
   */
  async function* prune({
    isHome = async () => true,
    ...which
  }: PruneOptions): AsyncGenerator<readonly RemovableSession[]> {
    let fault: PromiseRejectedResult | undefined;
    for (let after: string | undefined; ; ) {
      const page: Page<RemovableSession> = await store.removable({ ...which, limit: PRUNE_BATCH, after });
      const free: RemovableSession[] = [];
      for (const key of page.items) if (!isFollowed(key) && (await isHome(key.owner))) free.push(key);
      const outcomes = await Promise.allSettled(free.map((key) => removeOne(key, which)));
      fault ??= outcomes.find((outcome) => outcome.status === 'rejected');
      yield free.filter((_, i) => outcomes[i]?.status === 'fulfilled' && outcomes[i].value.changes.length > 0);
      if (page.next === null) break;
      after = page.next;
    }
    if (fault !== undefined) throw fault.reason;
  }

  const removeOwner: Engine['removeOwner'] = async (owner) => {
    const removeAll = (keys: readonly { session_id: string }[]) =>
      Promise.all(
        keys.map(async ({ session_id }) => {
          const key = { owner, session_id };
          return post(key, { type: 'owner_removed', hashes: await store.audit.hashesOf(key) });
        }),
      );
    for (;;) {
      await removeAll((await store.sessions(owner, { limit: SESSIONS_REMOVED })).items);
      // Those removed before may still wait for late results.
      await removeAll(actors.images().flatMap(({ session }) => (session.owner === owner ? [session] : [])));
      const isKnown = await store.removeOwner(owner);
      if (isKnown !== null) return isKnown;
    }
  };
  return { remove, prune, removeOwner };
};
