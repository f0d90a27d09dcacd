import { ServiceError } from '../../errors.ts';

/** Those who wait for a turn to finish, or for a session's next entry. In memory only: what they wait for is stored. */
export interface Waiters<Key> {
  /** Resolves at the key's next notice; rejects when `signal` aborts or all are dismissed. */
  next(key: Key, signal: AbortSignal): Promise<void>;
  notify(key: Key): void;
  /** Somebody waits for the key's next notice. */
  isAwaited(key: Key): boolean;
  /** The service stops: all who wait are told so. */
  dismiss(): void;
}

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Makes an empty waiting room. */
export const createWaiters = <Key>(): Waiters<Key> => {
  const waiting = new Map<Key, Set<Waiter>>();

  const leave = (key: Key, waiter: Waiter): void => {
    const others = waiting.get(key);
    others?.delete(waiter);
    if (others?.size === 0) waiting.delete(key);
  };

  return {
    next: (key, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const stop = (): void => {
          leave(key, waiter);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          resolve: () => {
            signal.removeEventListener('abort', stop);
            resolve();
          },
          reject: (error) => {
            signal.removeEventListener('abort', stop);
            reject(error);
          },
        };
        signal.addEventListener('abort', stop, { once: true });
        const others = waiting.get(key) ?? new Set();
        waiting.set(key, others.add(waiter));
      }),
    notify: (key) => {
      const those = waiting.get(key);
      waiting.delete(key);
      for (const { resolve } of those ?? []) resolve();
    },
    isAwaited: (key) => waiting.has(key),
    dismiss: () => {
      const error = new ServiceError(
        'SHUTTING_DOWN',
        'The service is stopping; ask again for this turn after the restart',
      );
      for (const those of waiting.values()) for (const { reject } of those) reject(error);
      waiting.clear();
    },
  };
};
