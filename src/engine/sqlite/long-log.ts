import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';

/** Pages of the log from which on SQLite copies them into the database as a part of a commit: its own default. */
const AUTOCHECKPOINT_PAGES = 1_000;

/** Pages not yet copied from which on another thread copies them: some 14 ms of work. The log is so long only where a reader of another process needs its beginning. */
const PAGES_IN_COMMIT_MAX = 2_000;

/** How often the log's length is looked at, in milliseconds, while there are commits. */
const LOOK_EVERY_MS = 100;

/** How often the other thread tries again while a reader needs the log, in milliseconds. */
const COPY_EVERY_MS = 200;

/** Length of a log that is worth a line, in pages of 4 KiB: 256 MiB. */
const PAGES_REPORTED = 65_536;

/** Keeps a long write-ahead log from holding the event loop. */
export interface LongLog {
  /** To be called after each commit, outside a transaction. */
  committed(): void;
  /** Stops the other thread, where one runs; to be awaited before the database is closed. */
  stop(): Promise<void>;
}

/**
 * Lets another thread copy the write-ahead log into the database where it has become long: SQLite copies it in a commit, all that it can at once (1.7 ms for
 * each MB), as soon as the last reader that needed it has ended, such as a backup or `sqlite3` in another process. Nothing bounds the log meanwhile
 * but the disk; `onLong` is told its length in pages, once for each time that it grows beyond 256 MiB. Its file keeps its length until the
 * store is closed, for cutting it off would hold the event loop, too.
 */
export const watchLongLog = (db: Database, onLong: (pages: number) => void): LongLog => {
  const length = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  let lookedAt = performance.now();
  let copying: { worker: Worker; ended: Promise<unknown> } | null = null;
  /** A thread failed, or the log could not be looked at: the copying is left to the commits for good. */
  let hasFailed = false;

  const isLong = (): boolean => {
    const found = length.get();
    return found !== undefined && found.log - found.checkpointed >= PAGES_IN_COMMIT_MAX;
  };

  const copyElsewhere = (): void => {
    db.pragma('wal_autocheckpoint = 0');
    const workerData = { path: db.name, pagesLeft: AUTOCHECKPOINT_PAGES, everyMs: COPY_EVERY_MS };
    const worker = new Worker(new URL('./checkpoint-worker.mjs', import.meta.url), { workerData });
    worker.unref();
    let isReported = false;
    worker.on('message', ({ log }: { log: number }) => {
      if (log >= PAGES_REPORTED && !isReported) onLong(log);
      isReported ||= log >= PAGES_REPORTED;
    });
    const ended = once(worker, 'exit')
      .catch(() => {
        hasFailed = true;
      })
      .then(() => {
        copying = null;
        if (db.open) db.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
      });
    copying = { worker, ended };
  };

  // A crash may have left a long one.
  if (isLong()) copyElsewhere();
  return {
    committed: () => {
      if (copying !== null || hasFailed || performance.now() - lookedAt < LOOK_EVERY_MS) return;
      lookedAt = performance.now();
      // Nobody who waits for this commit has to do with a fault of it.
      try {
        if (isLong()) copyElsewhere();
      } catch {
        hasFailed = true;
      }
    },
    stop: async () => {
      copying?.worker.postMessage('stop');
      await copying?.ended;
    },
  };
};
