import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';

/** Pages not yet copied from which on they are copied: SQLite's own default, with which it would do so as a part of the commit. */
const PAGES_COPIED = 1_000;

/** Pages not yet copied from which on another thread copies them: some 27 ms of work, more than the longest commit leaves. The log is so long only where a reader of another process needs its beginning. */
const PAGES_IN_TURN_MAX = 4_000;

/** How often the other thread tries again while a reader needs the log, in milliseconds. */
const COPY_EVERY_MS = 200;

/** How long after a fault the copying is left to the commits, in milliseconds. */
const RETRY_MS = 60_000;

/** SQLite's words for a disk that failed to read, write or sync. */
const DISK_CODES = /^SQLITE_IOERR/;

/** Length of a log that is worth a line, in pages of 4 KiB: 256 MiB. */
const PAGES_REPORTED = 65_536;

/** Copies the write-ahead log into the database where that holds up nobody for long. */
export interface LongLog {
  /** To be called after each commit, outside a transaction. Gives what is to be done in a turn of the event loop of its own; null: nothing. Neither throws. */
  committed(): (() => void) | null;
  /** Takes note of a fault with which a sync may have failed: what was written to the log without a sync of its own may be lost, though it can still be read. */
  doubt(error: unknown): void;
  /**
   * After a failed sync: copies all of the log into the database, and begins it anew. A sync that failed is not made up for by the
   * next one, and what follows a gap in the log is not found after a loss of power. To be called outside a transaction, before each. Throws, as where another process
   * has a lock, while a reader needs the log, or the other thread copies it where it is long.
   */
  mend(): void;
  /** Stops the other thread, where one runs; to be awaited before the database is closed. */
  stop(): Promise<void>;
}

/** Our own word for a log that is not mended yet; what waits for SQLite's locks waits for this, too. */
export const LOG_IN_DOUBT = 'SQLITE_BUSY_LOG';

const busyError = (): Error =>
  Object.assign(new Error('a reader needs the log that a disk failed to store, or it is copied'), {
    code: LOG_IN_DOUBT,
  });

/**
 * Copies the log in turns of the event loop without a commit, and lets another thread do so where it has become long: SQLite would copy it in a commit, all that it can at once
 * (1.7 ms for each MB), also after the last reader that needed it has ended, such as a backup or `sqlite3` in another process. Nothing bounds the log meanwhile
 * but the disk; `onLong` is told its length in pages, once for each time that it grows beyond 256 MiB. Its file keeps its length until the
 * store is closed, for cutting it off would hold the event loop, too.
 */
export const watchLongLog = (db: Database, onLong: (pages: number) => void): LongLog => {
  const length = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  const copy = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let copying: { worker: Worker; ended: Promise<unknown> } | null = null;
  let failedAt: number | null = null;
  let isInDoubt = false;
  /** The log was longer than is worth a line when it was looked at last. */
  let isReported = false;
  db.pragma('wal_autocheckpoint = 0');

  const doubt = (error: unknown): void => {
    isInDoubt ||= DISK_CODES.test(String((error as { code?: unknown }).code));
  };

  /** A thread failed, or the log could not be looked at: the copying is left to the commits for a while. Nobody who waits for a commit has to do with a fault of it. */
  const leaveToCommits = (error: unknown): void => {
    failedAt = performance.now();
    doubt(error);
    if (db.open) db.pragma(`wal_autocheckpoint = ${PAGES_COPIED}`);
  };

  /** Takes the copying back after that while. */
  const isLeftToCommits = (): boolean => {
    if (failedAt === null) return false;
    if (performance.now() - failedAt < RETRY_MS) return true;
    failedAt = null;
    db.pragma('wal_autocheckpoint = 0');
    return false;
  };

  const orLeave = <Result>(work: () => Result): Result | null => {
    try {
      return work();
    } catch (error) {
      leaveToCommits(error);
      return null;
    }
  };

  const pagesLeft = (): number => {
    const { log, checkpointed } = length.get()!;
    return log - checkpointed;
  };

  const copyElsewhere = (): void => {
    const workerData = { path: db.name, pagesLeft: PAGES_COPIED, everyMs: COPY_EVERY_MS };
    const worker = new Worker(new URL('./checkpoint-worker.mjs', import.meta.url), { workerData });
    worker.unref();
    worker.on('message', ({ log }: { log: number }) => {
      if (log >= PAGES_REPORTED && !isReported) onLong(log);
      isReported = log >= PAGES_REPORTED;
    });
    const ended = once(worker, 'exit')
      .catch(leaveToCommits)
      .then(() => {
        copying = null;
      });
    copying = { worker, ended };
  };

  const copyNow = (): void => {
    if (pagesLeft() >= PAGES_IN_TURN_MAX) copyElsewhere();
    else copy.get();
  };

  // A crash may have left a long one.
  orLeave(() => {
    if (pagesLeft() >= PAGES_IN_TURN_MAX) copyElsewhere();
  });
  return {
    committed: () => {
      if (copying !== null) return null;
      return orLeave(() => (isLeftToCommits() || pagesLeft() < PAGES_COPIED ? null : () => void orLeave(copyNow)));
    },
    doubt,
    mend: () => {
      if (!isInDoubt) return;
      // Also after a fault of that thread: only where there can be none it is done here.
      if (copying === null && pagesLeft() >= PAGES_IN_TURN_MAX) orLeave(copyElsewhere);
      if (copying !== null) throw busyError();
      const [{ busy, log, checkpointed }] = db.pragma('wal_checkpoint(RESTART)') as [Record<string, number>];
      if (busy !== 0 || log !== checkpointed) throw busyError();
      // Until the log is begun anew, what is left of the old one goes before the database at the next start.
      db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('written_at', ?)").run(String(Date.now()));
      isInDoubt = false;
    },
    stop: async () => {
      // Nothing else may keep a process that stops.
      copying?.worker.ref();
      copying?.worker.postMessage('stop');
      await copying?.ended;
    },
  };
};
