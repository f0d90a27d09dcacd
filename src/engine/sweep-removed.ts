import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { queueByKey } from '../lib/queue-by-key.ts';
import type { SessionStore } from '../store/port.ts';
import type { DroppedCallback } from './outbox/message.ts';

/** All of it is one queue: slices of many removals would be committed together, and hold the event loop together. */
const ONE_QUEUE = '';

/** How long after a fault of the store clearing is tried again, in milliseconds; a removal tries at once. */
const RETRY_MS = 60_000;

interface Parts {
  store: Pick<SessionStore, 'sweepRemoved'>;
  /** An owner's forks have taken over so many bytes. */
  onHandedOn(owner: string, bytes: number): void;
  /** A callback that was to be posted is gone. */
  onDropped(callback: DroppedCallback): void;
  isStopping(): boolean;
  log: Logger;
}

/**
 * Makes what clears away what removed sessions have left, a slice in each turn of the event loop. Ends early when the service stops; the next start goes
 * on with it. Never rejects: the sessions are removed all the same, so that a fault of the store is logged, and it is tried again later.
 */
export const createSweep = ({ store, onHandedOn, onDropped, isStopping, log }: Parts): (() => Promise<void>) => {
  const queue = queueByKey();
  let retry: NodeJS.Timeout | undefined;

  const sweepAll = async (): Promise<void> => {
    while (!isStopping()) {
      const { handedOn, dropped, isDone } = await store.sweepRemoved();
      for (const [owner, bytes] of handedOn) onHandedOn(owner, bytes);
      for (const callback of dropped) onDropped(callback);
      if (isDone) return;
      await nextTurn();
    }
  };

  const sweep = (): Promise<void> =>
    queue(ONE_QUEUE, async () => {
      clearTimeout(retry);
      try {
        await sweepAll();
      } catch (error) {
        if (isStopping()) return;
        log.error({ err: error }, 'what removed sessions left could not be cleared; trying again');
        retry = setTimeout(() => void sweep(), RETRY_MS).unref();
      }
    });
  return sweep;
};
