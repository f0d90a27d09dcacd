import type { Database } from 'better-sqlite3';
import { ServiceError } from '../../errors.ts';

/** SQLite's words for a disk that is full, broken or not to be written. */
const STORAGE_CODES = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM)/;

/** True for an error of the disk, not of what was to be written. */
export const isStorageError = (error: unknown): boolean =>
  STORAGE_CODES.test(String((error as { code?: unknown }).code));

/** Watches for a store that can't be written, so that nobody is told 2xx without a commit. */
export const storageErrors = (db: Database) => {
  let isBroken = false;
  return {
    /** Takes note of an error of a write that nobody waits for. */
    note: (error: unknown): void => {
      isBroken ||= isStorageError(error);
    },
    /** Runs a write; a storage error becomes `STORAGE_UNAVAILABLE`, and the store counts as broken until a write succeeds. */
    watch: async <Result>(write: () => Promise<Result>): Promise<Result> => {
      try {
        const result = await write();
        isBroken = false;
        return result;
      } catch (error) {
        if (!isStorageError(error)) throw error;
        isBroken = true;
        throw new ServiceError(
          'STORAGE_UNAVAILABLE',
          'The disk is full or can not be written; nothing of this request was stored. Try again when there is room',
          { cause: error },
        );
      }
    },
    /** True when the last write could be stored, or when a trial write can. */
    isWritable: (): boolean => {
      if (!isBroken) return true;
      try {
        db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('written_at', ?)").run(String(Date.now()));
        isBroken = false;
        return true;
      } catch {
        return false;
      }
    },
  };
};
