import pg from 'pg';
import { ServiceError } from '../../lib/errors.ts';
import { KeyTaken, StaleImage } from '../port.ts';

/** PostgreSQL's code of an error; empty if it comes from the connection. */
const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/** Faults of the work and its statements, not of the database: values, constraints, syntax. */
const OF_WORK = /^(2[12]|23|42|P0)/;

/** The code that `enter` raises for an old fence. */
const FENCED = 'TR001';

/** A commit that conflicted with another, or whose referenced row another one removed. It may succeed when repeated. */
export const isInTheWay = (error: unknown): boolean => /^(40|23503)/.test(codeOf(error));

/** A lock was not available in time. */
const LOCKED = '55P03';

/** True if a joint commit failed because of one work or a conflict: each may be committed alone. */
export const isOfOne = (error: unknown): boolean =>
  !isStorageError(error) || isInTheWay(error) || isFenced(error) || codeOf(error) === LOCKED;

/** True if another service has taken over: nothing of this process is stored any more. */
export const isFenced = (error: unknown): boolean => codeOf(error) === FENCED;

/** True for a fault of the database or of the connection to it. */
export const isStorageError = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || !OF_WORK.test(codeOf(error));

/** True if another row has a unique value. Citus appends a number to the constraint's name. */
const isTaken = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.constraint?.startsWith(constraint) === true;

const messageOf = (error: unknown): string => {
  const code = codeOf(error);
  if (code === FENCED) return 'Another service has taken over this database; stop one of the two';
  if (code === '25006')
    return 'The database takes no writes (it is read-only, or a standby); nothing of this request was stored';
  if (code.startsWith('53'))
    return 'The database has no room or no free connection; nothing of this request was stored';
  return 'The database cannot be reached or does not answer; try again shortly';
};

/** The error for a caller whose statement failed; faults of the database become `STORAGE_UNAVAILABLE`. */
export const callerError = (error: unknown): unknown => {
  if (isTaken(error, 'entries_session_seq_key')) return new StaleImage('its entry is there', { cause: error });
  if (isTaken(error, 'turns_by_key')) return new KeyTaken('another turn has its key', { cause: error });
  return isStorageError(error) ? new ServiceError('STORAGE_UNAVAILABLE', messageOf(error), { cause: error }) : error;
};

/** The error of a start, as one sentence that says what to do. */
export const startError = (error: unknown): unknown => {
  if (error instanceof ServiceError) return error;
  const { message } = error as Error;
  return new ServiceError(
    'STORAGE_UNAVAILABLE',
    `The database of TRIPACT_DATABASE_URL cannot be used (${message}): check its address, user and password, and that it runs`,
    { cause: error },
  );
};
