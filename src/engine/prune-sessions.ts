import type { Page } from '../lib/page.ts';
import type { RemovableSession, Upkeep } from '../store/port.ts';
import type { PruneOptions } from './port.ts';
import type { RunningSessions } from './running-sessions.ts';

/** How far the clock may go ahead of the time that has passed, and how long it is not relied on after it went further, in milliseconds: one day. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Says of the time now, epoch milliseconds, whether the clock may be wrong. */
export type ClockJumps = (now: number) => boolean;

/** Notices when the clock went ahead by more than a day within the last day: then nothing is removed for its age. */
export const createClockJumps = (): ClockJumps => {
  let aheadOfTimer = Number.POSITIVE_INFINITY;
  let putOffUntil = Number.NEGATIVE_INFINITY;
  return (now) => {
    const timer = performance.now();
    if (now - timer - aheadOfTimer > DAY_MS) putOffUntil = timer + DAY_MS;
    aheadOfTimer = now - timer;
    return timer < putOffUntil;
  };
};

/** Sessions looked at and removed at once: each is loaded. */
const PRUNE_BATCH = 10;

/** Removes old sessions and callbacks while the service runs; one that runs or is followed stays. Throws the first fault at its end. */
export async function* pruneSessions(
  store: Pick<Upkeep, 'removable' | 'pruneCallbacks'>,
  { post, followers }: Pick<RunningSessions, 'post' | 'followers'>,
  { before, includeWaiting }: PruneOptions,
): AsyncGenerator<readonly RemovableSession[]> {
  let fault: PromiseRejectedResult | undefined;
  for (let after: string | null = null; ; ) {
    const page: Page<RemovableSession> = await store.removable({ before, includeWaiting, limit: PRUNE_BATCH, after });
    const free = page.items.filter((key) => !followers.isFollowed(key));
    const outcomes = await Promise.allSettled(
      free.map((key) => post(key, { type: 'removal', before, includeWaiting })),
    );
    fault ??= outcomes.find((outcome) => outcome.status === 'rejected');
    yield free.filter((_, i) => outcomes[i]?.status === 'fulfilled' && outcomes[i].value.changes.length > 0);
    if (page.next === null) break;
    after = page.next;
  }
  while (await store.pruneCallbacks(before));
  if (fault !== undefined) throw fault.reason;
}
