import type { Page } from '../lib/page.ts';
import type { RemovableSession, Upkeep } from '../store/port.ts';
import type { PruneOptions } from './port.ts';
import type { RunningSessions } from './running-sessions.ts';

/** Sessions looked at and removed at once: each is loaded. */
const PRUNE_BATCH = 10;

/** Removes old sessions while the service runs; one that runs, is followed or has its home elsewhere stays. Throws the first fault at its end. */
export async function* pruneSessions(
  store: Pick<Upkeep, 'removable'>,
  { post, followers }: Pick<RunningSessions, 'post' | 'followers'>,
  { isHome = async () => true, ...which }: PruneOptions,
): AsyncGenerator<readonly RemovableSession[]> {
  let fault: PromiseRejectedResult | undefined;
  for (let after: string | null = null; ; ) {
    const page: Page<RemovableSession> = await store.removable({ ...which, limit: PRUNE_BATCH, after });
    const free: RemovableSession[] = [];
    for (const key of page.items) if (!followers.isFollowed(key) && (await isHome(key.owner))) free.push(key);
    const outcomes = await Promise.allSettled(
      free.map((key) => post(key, { type: 'removal', before: which.before, includeWaiting: which.includeWaiting })),
    );
    fault ??= outcomes.find((outcome) => outcome.status === 'rejected');
    yield free.filter((_, i) => outcomes[i]?.status === 'fulfilled' && outcomes[i].value.changes.length > 0);
    if (page.next === null) break;
    after = page.next;
  }
  if (fault !== undefined) throw fault.reason;
}
