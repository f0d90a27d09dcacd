import { ServiceError } from '../lib/errors.ts';

/** Notifies waiters in this process that something has happened. Every notified change is stored, so a missed notice loses nothing. */
export interface Notices<News> {
  /** Resolves at the key's next notice; rejects when `signal` aborts, and with `SHUTTING_DOWN` when all are dismissed. */
  next(key: string, signal: AbortSignal): Promise<News>;
  notify(key: string, news: News): void;
  /** A caller waits for the key's next notice. */
  isAwaited(key: string): boolean;
  /** All who wait for the key's next notice get the error. */
  fail(key: string, error: unknown): void;
  /** The service stops: rejects all waiters. */
  dismiss(): void;
}

/** Creates notices without waiters. */
export const createNotices = <News>(): Notices<News> => {
  const waiting = new Map<string, Set<PromiseWithResolvers<News>>>();

  const leave = (key: string, waiter: PromiseWithResolvers<News>): void => {
    const waiters = waiting.get(key);
    if (waiters?.delete(waiter) && waiters.size === 0) waiting.delete(key);
  };

  const fail = (key: string, error: unknown): void => {
    for (const { reject } of waiting.get(key) ?? []) reject(error);
  };

  return {
    next: (key, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason);
      const waiter = Promise.withResolvers<News>();
      const stop = (): void => waiter.reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const waiters = waiting.get(key);
      if (waiters === undefined) waiting.set(key, new Set([waiter]));
      else waiters.add(waiter);
      return waiter.promise.finally(() => {
        signal.removeEventListener('abort', stop);
        leave(key, waiter);
      });
    },
    notify: (key, news) => {
      const waiters = waiting.get(key) ?? [];
      waiting.delete(key);
      for (const { resolve } of waiters) resolve(news);
    },
    fail,
    isAwaited: (key) => waiting.has(key),
    dismiss: () => {
      const text = 'The service is stopping; ask again for this turn after the restart';
      for (const key of waiting.keys()) fail(key, new ServiceError('SHUTTING_DOWN', text));
    },
  };
};
