import type { Page } from '../lib/page.ts';
import type { RemovableSession, Upkeep } from '../store/port.ts';
import type { Decision } from './change.ts';
import type { Engine } from './port.ts';
import type { SessionKey } from './session-image.ts';
import type { SessionInput } from './session-input.ts';

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

/** So many that can't be removed end a removal: the storage is at fault then, not what is stored of a session. */
const FAULTS_MAX = 100;

interface Parts {
  store: Pick<Upkeep, 'removable' | 'pruneCallbacks'>;
  post(key: SessionKey, input: SessionInput): Promise<Decision>;
  isFollowed(key: SessionKey): boolean;
}

/** Removes old sessions and callbacks while the service runs; one that runs or is followed stays. Throws the first fault at its end. */
export const createPrune = ({ store, post, isFollowed }: Parts): Engine['prune'] =>
  async function* ({ before, includeWaiting }) {
    const faults: unknown[] = [];
    for (let after: string | null = null; ; ) {
      const page: Page<RemovableSession> = await store.removable({ before, includeWaiting, limit: PRUNE_BATCH, after });
      const removed = await Promise.allSettled(
        page.items
          .filter((key) => !isFollowed(key))
          .map(async (key) => {
            const { changes } = await post(key, { type: 'removal', before, includeWaiting });
            return changes.length > 0 ? [key] : [];
          }),
      );
      yield removed.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
      for (const outcome of removed) if (outcome.status === 'rejected') faults.push(outcome.reason);
      if (page.next === null || faults.length >= FAULTS_MAX) break;
      after = page.next;
    }
    while (await store.pruneCallbacks(before));
    if (faults.length > 0) throw faults[0];
  };
