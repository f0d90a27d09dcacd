import type { Logger } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { callerError, isFenced, isStorageError } from './errors.ts';

const stopped = (): ServiceError =>
  new ServiceError('SHUTTING_DOWN', 'The service has stopped; ask again after its restart');

/** Whether the database can be written, by its faults. Another service that took it over fences this one off for good. */
export class ServerHealth {
  readonly #log: Logger;
  readonly #isWorthALine = onceAMinute();
  #state: 'writable' | 'broken' | 'fenced_off' = 'writable';
  #isClosed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  get state(): 'writable' | 'broken' | 'fenced_off' {
    return this.#state;
  }

  /** Throws once the database is closed. */
  assertOpen(): void {
    if (this.#isClosed) throw stopped();
  }

  /** The error for the caller of a statement that failed. Faults of the database are recorded. */
  shown(error: unknown): unknown {
    if (this.#isClosed) return stopped();
    if (isStorageError(error)) this.#note(error);
    return callerError(error);
  }

  /** Something was stored. */
  stored(): void {
    if (this.#state === 'broken') this.#state = 'writable';
  }

  close(): void {
    this.#isClosed = true;
  }

  #note(error: unknown): void {
    if (isFenced(error) && this.#state !== 'fenced_off') {
      this.#state = 'fenced_off';
      this.#log.fatal(
        { err: error },
        'another service has taken over this database; nothing is stored until a restart',
      );
      return;
    }
    if (this.#state !== 'fenced_off') this.#state = 'broken';
    if (this.#isWorthALine())
      this.#log.error({ err: error }, 'the database cannot be used; requests that need it get 503 until it can');
  }
}
