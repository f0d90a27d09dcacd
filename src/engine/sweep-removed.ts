import { setImmediate as nextTurn } from 'node:timers/promises';
import { queueByKey } from '../queue-by-key.ts';
import type { SessionStore } from './store.ts';

/** All of it is one queue: slices of many removals would be committed together, and hold the event loop together. */
const ONE_QUEUE = '';

interface Parts {
  store: Pick<SessionStore, 'sweepRemoved'>;
  /** An owner's forks have taken over so many bytes. */
  onHandedOn(owner: string, bytes: number): void;
  isStopping(): boolean;
}

/** Makes what clears away what removed sessions have left, a slice in each turn of the event loop. Ends early when the service stops; the next start goes on with it. */
export const createSweep = ({ store, onHandedOn, isStopping }: Parts): (() => Promise<void>) => {
  const queue = queueByKey();
  return () =>
    queue(ONE_QUEUE, async () => {
      while (!isStopping()) {
        const { handedOn, isDone } = await store.sweepRemoved();
        for (const [owner, bytes] of handedOn) onHandedOn(owner, bytes);
        if (isDone) return;
        await nextTurn();
      }
    });
};
