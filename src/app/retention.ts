import type { Logger } from 'pino';
import type { Engine } from '../runtime/port.ts';

/** One day, in milliseconds: how often the service removes sessions past their retention. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

interface Parts {
  engine: Pick<Engine, 'prune'>;
  retentionDays: number;
  /** When any session was last used before this start, in epoch milliseconds; null: never. */
  lastUsedAt: number | null;
  now(): number;
  log: Logger;
}

/**
 * Makes what removes sessions older than the retention, at its start and once a day (TRIPACT_RETENTION_DAYS). Sessions with a task that waits or is paused stay.
 * Where the clock went on by more than two days since the day before, or at the start by more than the retention since any session was used, it may be
 * wrong, or the machine slept: then nothing is removed on that day, and the log says so; but never on two days in a row. `stop` waits for a batch.
 */
export const createRetention = ({ engine, retentionDays, lastUsedAt, now, log }: Parts) => {
  let isStopping = false;
  let lastAt = lastUsedAt ?? now();
  let expectedMs = retentionDays * DAY_MS;
  let isPutOff = false;

  const hasJumped = (): boolean => {
    const passedMs = now() - lastAt;
    lastAt += passedMs;
    isPutOff = passedMs > expectedMs && !isPutOff;
    expectedMs = 2 * DAY_MS;
    if (isPutOff)
      log.warn(
        { days: Math.round(passedMs / DAY_MS) },
        'the clock is days ahead of the last use or removal of sessions: old ones stay until tomorrow; if the clock is wrong, correct it or stop the service before then',
      );
    return isPutOff;
  };

  const remove = async (owner: string | null): Promise<void> => {
    let sessions = 0;
    try {
      const before = now() - retentionDays * DAY_MS;
      for await (const removed of engine.prune({ owner, before, includeWaiting: false })) {
        sessions += removed.length;
        if (isStopping) break;
      }
    } catch (error) {
      log.error({ err: error }, 'old sessions could not be removed; trying again tomorrow');
    }
    if (sessions > 0) log.info({ sessions, retention_days: retentionDays }, 'removed old sessions');
  };

  const run = async (): Promise<void> => {
    if (!hasJumped()) await remove(null);
  };
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const runNext = (): void => {
    running = running.then(run);
  };
  return {
    start: (): void => {
      running = run();
      timer = setInterval(runNext, DAY_MS).unref();
    },
    /** Also removes old sessions of an owner who has come to this process. */
    addOwner: (owner: string): void => {
      running = running.then(() => (isPutOff || isStopping ? undefined : remove(owner)));
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      clearInterval(timer);
      await running;
    },
  };
};
