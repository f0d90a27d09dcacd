import { EventEmitter, once } from 'node:events';
import { ServiceError } from '../errors.ts';

/** Notifies waiters in this process that something has happened. Every notified change is stored, so a missed notice loses nothing. */
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

class Failure {
  readonly error: Error;

  constructor(error: Error) {
    this.error = error;
  }
}

const DISMISSED = Symbol('dismissed');

/** Creates notices without waiters. */
export const createNotices = <News>(): Notices<News> => {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    next: async (key, signal) => {
      try {
        const [news] = await once(emitter, key, { signal });
        if (news instanceof Failure) throw news.error;
        if (news !== DISMISSED) return news as News;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      }
      throw new ServiceError('SHUTTING_DOWN', 'The service is stopping; ask again for this turn after the restart');
    },
    notify: (key, news) => void emitter.emit(key, news),
    fail: (key, error) => void emitter.emit(key, new Failure(error)),
    isAwaited: (key) => emitter.listenerCount(key) > 0,
    dismiss: () => {
      for (const key of emitter.eventNames()) if (key !== 'error') emitter.emit(key, DISMISSED);
    },
  };
};
