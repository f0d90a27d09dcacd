import type { Database } from 'better-sqlite3';
import { ZodError } from 'zod';
import { EventNotAccepted } from '../../../machines/step.ts';
import { DamagedHistory } from '../../engine/fold-task.ts';
import { ServiceError } from '../../lib/errors.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import type { FilesInPlace } from './files-in-place.ts';
import { LOG_IN_DOUBT, type LongLog } from './long-log.ts';

/** SQLite's word for a lock that another process holds. */
const LOCKED_CODE = /^SQLITE_BUSY/;

/** SQLite's words for a disk that is full, broken or not to be written, or whose locks fail. */
const STORAGE_CODES = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|BUSY|PROTOCOL)/;

/** Those that no later write mends: the files are damaged, or are not the ones that the path leads to. */
const LASTING_CODES = /^SQLITE_(CORRUPT|NOTADB|READONLY_DBMOVED)/;

/** True for an error of the disk, not of what was to be written. */
export const isStorageError = (error: unknown): boolean =>
  STORAGE_CODES.test(String((error as { code?: unknown }).code));

/** SQLite's words for a page that is not as it was written. A disk that can't read it is `SQLITE_CORRUPT`, too. */
const DAMAGED_PAGE = /^SQLITE_(CORRUPT|NOTADB)/;

/** The system's words for a folder that can't be used. */
const FOLDER_CODES = /^(EACCES|EPERM|EROFS|ENOENT|ENOSPC|EDQUOT|ENOTDIR|EEXIST|EIO|ELOOP|ENAMETOOLONG)$/;

/** SQLite's word for a table that is not there, or is there already: the database is another program's, or was changed by one. */
const OTHER_TABLES = 'SQLITE_ERROR';

/** The error of opening a data folder, as one sentence where the folder is at fault. */
export const startError = (error: unknown, dataDir: string): unknown => {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code === OTHER_TABLES)
    return new ServiceError(
      'STORAGE_UNAVAILABLE',
      `The database in ${dataDir} is not one that this Tripact can use (${message}): restore a backup, or set TRIPACT_DATA_DIR to another folder`,
      { cause: error },
    );
  if (DAMAGED_PAGE.test(String(code)))
    return new ServiceError(
      'STORAGE_UNAVAILABLE',
      `The database ${dataDir}/tripact.db is damaged or cut off, or its disk can not be read (${message}): restore a backup with "tripact restore", or set TRIPACT_DATA_DIR to another folder`,
      { cause: error },
    );
  if (!isStorageError(error) && !FOLDER_CODES.test(String(code))) return error;
  return new ServiceError(
    'STORAGE_UNAVAILABLE',
    `The data folder ${dataDir} can not be used (${message}): look at the disk, make room, or let this user write it, or set TRIPACT_DATA_DIR to another`,
    { cause: error },
  );
};

/** The same for the text of an entry that several sessions share. */
const DAMAGED_TEXT = 'malformed JSON';

/** True for what reading a row throws that is not as it was written. */
const isDamage = (error: unknown): boolean =>
  DAMAGED_PAGE.test(String((error as { code?: unknown }).code)) ||
  (error as { message?: unknown }).message === DAMAGED_TEXT ||
  error instanceof SyntaxError ||
  error instanceof ZodError ||
  error instanceof EventNotAccepted ||
  error instanceof DamagedHistory;

/** Bytes of a trial write: more than a usual commit adds to the log, so that a disk which is full for those is none that can be written. */
const TRIAL_BYTES = 128 * 1_024;

const stopped = (): ServiceError =>
  new ServiceError('SHUTTING_DOWN', 'The service has stopped; ask again after its restart');

const unavailable = (message: string, cause: unknown): ServiceError =>
  new ServiceError('STORAGE_UNAVAILABLE', message, { cause });

/** What is at fault, in one sentence; it names no path. */
const messageOf = (error: unknown): string => {
  const code = String((error as { code?: unknown }).code);
  if (isDamage(error) || LASTING_CODES.test(code))
    return 'What is stored is damaged or can not be read, or was removed or replaced while the service ran; look at the disk and start it again, or restore a backup';
  if (code === LOG_IN_DOUBT)
    return 'The disk has failed, and what it failed to store has to be copied first, which waits for the end of a backup or of another program that reads the database; nothing of this request was stored. Try again when it has ended';
  return LOCKED_CODE.test(code)
    ? 'Another program has locked the database; nothing of this request was stored. Try again when it has ended'
    : 'The disk is full or can not be written; nothing of this request was stored. Try again when there is free space';
};

/** Who is told of faults of the storage. */
export interface StorageListeners {
  /** A fault was found that no later write mends; from then on the store is not ready. Called once. */
  onLastingFault?(error: unknown): void;
  /** Any other fault; called once a minute at most. */
  onFault?(error: unknown): void;
}

/** Watches for a store that can't be written or read, so that no request gets 2xx without a commit. */
export const storageErrors = (
  db: Database,
  files: FilesInPlace,
  { onLastingFault = () => {}, onFault = () => {} }: StorageListeners = {},
  log: Pick<LongLog, 'doubt' | 'mend'> = { doubt: () => {}, mend: () => {} },
) => {
  const isWorthALine = onceAMinute();
  let isBroken = false;
  let hasLastingFault = false;

  /** Takes note of a fault that is the storage's; any other is left alone. */
  const note = (error: unknown): void => {
    if (!isStorageError(error) && !isDamage(error)) return;
    const isLasting = isDamage(error) || LASTING_CODES.test(String((error as { code?: unknown }).code));
    log.doubt(error);
    isBroken ||= isStorageError(error);
    if (isLasting && !hasLastingFault) {
      hasLastingFault = true;
      onLastingFault(error);
    } else if (isWorthALine()) onFault(error);
  };

  const asUnavailable = (error: unknown): unknown => {
    if (!isStorageError(error) && !isDamage(error)) return error;
    note(error);
    return unavailable(messageOf(error), error);
  };

  return {
    note,
    /** A row's value, or the substitute for a damaged one. */
    orElse: <Value>(value: () => Value, otherwise: () => Value): Value => {
      try {
        return value();
      } catch (error) {
        if (!isDamage(error)) throw error;
        note(error);
        return otherwise();
      }
    },
    /**
     * Runs a write; a storage error becomes `STORAGE_UNAVAILABLE`, and the store counts as broken until a trial write succeeds. Any other error
     * is passed through `otherwise`.
     */
    watch: async <Result>(
      write: () => Promise<Result> | Result,
      otherwise: (error: unknown) => unknown = (error) => error,
    ): Promise<Result> => {
      try {
        return await write();
      } catch (error) {
        // What a decision itself throws is its own affair; only the storage's faults are ours here.
        throw isStorageError(error) ? asUnavailable(error) : otherwise(error);
      }
    },
    /** Runs a read; a storage error or a damaged row becomes `STORAGE_UNAVAILABLE`, and whatever a store throws that was closed `SHUTTING_DOWN`. */
    read:
      <Arguments extends unknown[], Result>(read: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments): Promise<Result> => {
        if (!db.open) throw stopped();
        try {
          files.assertInPlaceLately();
          return await read(...given);
        } catch (error) {
          // A read over several turns of the event loop may find its store closed in between.
          throw db.open ? asUnavailable(error) : stopped();
        }
      },
    /** True while no write has failed, or when a trial write can be stored. */
    isWritable: (): boolean => {
      try {
        files.assertInPlace();
        if (hasLastingFault) return false;
        if (isBroken) {
          log.mend();
          for (const value of [' '.repeat(TRIAL_BYTES), String(Date.now())])
            db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('written_at', ?)").run(value);
        }
        isBroken = false;
        return true;
      } catch (error) {
        note(error);
        return false;
      }
    },
  };
};
