import { EventEmitter, once } from 'node:events';
import { ServiceError } from '../lib/errors.ts';

/** Notifies waiters in this process. Every notified change is stored, so a missed notice loses nothing. */
export const createNotices = <News>() => {
  const waiting = new EventEmitter().setMaxListeners(0);
  const fail = (key: string, error: unknown): void => {
    waiting.emit(key, (): News => {
      throw error;
    });
  };
  return {
    /**
     * Resolves at the key's next notice; rejects when `signal` aborts, and with `SHUTTING_DOWN` when all are dismissed.
     */
    next: async (key: string, signal: AbortSignal): Promise<News> => {
      try {
        const [read] = (await once(waiting, key, { signal })) as [() => News];
        return read();
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
    notify: (key: string, news: News): void => void waiting.emit(key, () => news),
    fail,
    /** The service stops: rejects all waiters. */
    dismiss: (): void => {
      const text = 'The service is stopping; ask again for this turn after the restart';
      if (waiting.listenerCount('error') > 0) waiting.emit('error', new ServiceError('SHUTTING_DOWN', text));
    },
  };
};
