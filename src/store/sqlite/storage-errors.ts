import { ServiceError } from '../../lib/errors.ts';

/** Error codes of SQLite and the system for a disk that is full, broken or read-only, or whose locks fail. */
const STORAGE_CODES = /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|BUSY|PROTOCOL)|EIO$|EACCES$)/;

/** The system's error codes for an unusable folder. */
const FOLDER_CODES = /^(EACCES|EPERM|EROFS|ENOENT|ENOSPC|EDQUOT|ENOTDIR|EEXIST|EIO|ELOOP|ENAMETOOLONG)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** True for an error of a statement, not of the work that sent it. */
export const isOfSqlite = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_');

/** True for an error of the disk, not of the data to be written. */
export const isStorageError = (error: unknown): boolean => STORAGE_CODES.test(codeOf(error));

/** True for a lock held by another process, or a reader of the log that has to be copied first. */
export const isLocked = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** True after a fault in which the disk may have stored less than was written. */
export const isDiskFault = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_IOERR');

/** True for an incomplete or damaged database file. A disk that cannot read a page gives the same error. */
export const isDamaged = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** True for a permanent fault: the file is damaged, or is not the one at the path. */
export const isLasting = (error: unknown): boolean => isDamaged(error) || codeOf(error) === 'SQLITE_READONLY_DBMOVED';

/** True if another row has a unique value; `column` identifies the constraint. */
export const isTaken = (error: unknown, column: string): boolean =>
  codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' && (error as Error).message.includes(column);

/** The error of opening a data folder, as one sentence if the folder is at fault. */
export const startError = (error: unknown, dataDir: string): unknown => {
  const { message } = error as Error;
  if (isDamaged(error))
    return new ServiceError(
      'STORAGE_UNAVAILABLE',
      `The database ${dataDir}/tripact.db is damaged or truncated, or its disk cannot be read (${message}): restore a backup with "tripact restore", or set TRIPACT_DATA_DIR to another folder`,
      { cause: error },
    );
  if (!isStorageError(error) && !FOLDER_CODES.test(codeOf(error))) return error;
  return new ServiceError(
    'STORAGE_UNAVAILABLE',
    `The data folder ${dataDir} cannot be used (${message}): check the disk, free space, or let this user write to it, or set TRIPACT_DATA_DIR to another`,
    { cause: error },
  );
};

/** The fault in one sentence, without a path. */
const messageOf = (error: unknown): string => {
  if (isLasting(error))
    return 'The stored data is damaged or cannot be read, or was removed or replaced while the service ran; check the disk and restart, or restore a backup';
  return isLocked(error)
    ? 'Another program has locked the database; nothing of this request was stored. Try again when it has ended'
    : 'The disk is full or cannot be written; nothing of this request was stored. Try again when there is free space';
};

export const unavailable = (error: unknown): ServiceError =>
  new ServiceError('STORAGE_UNAVAILABLE', messageOf(error), { cause: error });
