import { ServiceError } from '../../lib/errors.ts';

/** The words of SQLite, and of the system, for a disk that is full, broken or not to be written, or whose locks fail. */
const STORAGE_CODES = /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|BUSY|PROTOCOL)|EIO$|EACCES$)/;

/** The system's words for a folder that can't be used. */
const FOLDER_CODES = /^(EACCES|EPERM|EROFS|ENOENT|ENOSPC|EDQUOT|ENOTDIR|EEXIST|EIO|ELOOP|ENAMETOOLONG)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** True for an error of a statement, not of the work that asked it. */
export const isOfSqlite = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_');

/** True for an error of the disk, not of what was to be written. */
export const isStorageError = (error: unknown): boolean => STORAGE_CODES.test(codeOf(error));

/** True for a lock that another process holds, or a reader of the log that has to be copied first. */
export const isLocked = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** True after a fault in which the disk may have stored less than was written. */
export const isDiskFault = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_IOERR');

/** True for a file that is no whole database. A disk that can't read a page gives the same error. */
export const isDamaged = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** True for a fault that no later write mends: the file is damaged, or is not the one that the path leads to. */
export const isLasting = (error: unknown): boolean => isDamaged(error) || codeOf(error) === 'SQLITE_READONLY_DBMOVED';

/** True where another row has what only one may have; `column` is one of those by which it is told. */
export const isTaken = (error: unknown, column: string): boolean =>
  codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' && (error as Error).message.includes(column);

/** The error of opening a data folder, as one sentence where the folder is at fault. */
export const startError = (error: unknown, dataDir: string): unknown => {
  const { message } = error as Error;
  if (isDamaged(error))
    return new ServiceError(
      'STORAGE_UNAVAILABLE',
      `The database ${dataDir}/tripact.db is damaged or cut off, or its disk can not be read (${message}): restore a backup with "tripact restore", or set TRIPACT_DATA_DIR to another folder`,
      { cause: error },
    );
  if (!isStorageError(error) && !FOLDER_CODES.test(codeOf(error))) return error;
  return new ServiceError(
    'STORAGE_UNAVAILABLE',
    `The data folder ${dataDir} can not be used (${message}): look at the disk, make room, or let this user write it, or set TRIPACT_DATA_DIR to another`,
    { cause: error },
  );
};

/** The fault in one sentence; it names no path. */
const messageOf = (error: unknown): string => {
  if (isLasting(error))
    return 'What is stored is damaged or can not be read, or was removed or replaced while the service ran; look at the disk and start it again, or restore a backup';
  return isLocked(error)
    ? 'Another program has locked the database; nothing of this request was stored. Try again when it has ended'
    : 'The disk is full or can not be written; nothing of this request was stored. Try again when there is free space';
};

export const unavailable = (error: unknown): ServiceError =>
  new ServiceError('STORAGE_UNAVAILABLE', messageOf(error), { cause: error });
