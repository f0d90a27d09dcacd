import { createCrowdSlices } from '../event-loop/loop-slices.ts';
import { ServiceError } from '../lib/errors.ts';

/** Waiters that are notified at once in one turn of the event loop: what they do then, such as to answer a request, is some tenths of a millisecond each. */
const WAITERS_A_TURN = 16;

/**
 * Notifies waiters in this process that something has happened. Every notified change is stored, so a missed notice loses nothing. However many
 * wait for the same, they get it over turns of the event loop.
 */
export interface Notices<News> {
  /** Resolves at the key's next notice; rejects when `signal` aborts, and with `SHUTTING_DOWN` when all are dismissed. */
  next(key: string, signal: AbortSignal): Promise<News>;
  notify(key: string, news: News): void;
  /** A caller waits for the key's next notice. */
  isAwaited(key: string): boolean;
  /** All who wait for the key's next notice get the error. */
  fail(key: string, error: Error): void;
  /** The service stops: rejects all waiters. */
  dismiss(): void;
}

interface Waiter<News> {
  resolve(news: News): void;
  reject(error: unknown): void;
}

/** Creates notices without waiters. */
export const createNotices = <News>(): Notices<News> => {
  const waiting = new Map<string, Set<Waiter<News>>>();
  const inSlices = createCrowdSlices(WAITERS_A_TURN);

  const leave = (key: string, waiter: Waiter<News>): void => {
    const waiters = waiting.get(key);
    if (waiters?.delete(waiter) && waiters.size === 0) waiting.delete(key);
  };

  /** Gives all who wait for a key what it has come to. They wait for the next notice no more. */
  const settle = (key: string, give: (waiter: Waiter<News>) => void): void => {
    const waiters = waiting.get(key) ?? [];
    waiting.delete(key);
    for (const waiter of waiters) inSlices(() => give(waiter));
  };

  return {
    next: (key, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const stop = (): void => {
          leave(key, waiter);
          reject(signal.reason);
        };
        const waiter: Waiter<News> = {
          resolve: (news) => {
            signal.removeEventListener('abort', stop);
            resolve(news);
          },
          reject: (error) => {
            signal.removeEventListener('abort', stop);
            reject(error);
          },
        };
        signal.addEventListener('abort', stop, { once: true });
        const waiters = waiting.get(key);
        if (waiters === undefined) waiting.set(key, new Set([waiter]));
        else waiters.add(waiter);
      }),
    notify: (key, news) => settle(key, ({ resolve }) => resolve(news)),
    fail: (key, error) => settle(key, ({ reject }) => reject(error)),
    isAwaited: (key) => waiting.has(key),
    dismiss: () => {
      const text = 'The service is stopping; ask again for this turn after the restart';
      const stopping = new ServiceError('SHUTTING_DOWN', text);
      for (const key of waiting.keys()) settle(key, ({ reject }) => reject(stopping));
    },
  };
};
