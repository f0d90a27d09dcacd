import { type ErrorCode, errorStatus } from '../../contracts/error-code.ts';
import type { Problem } from '../../contracts/http.ts';

/** An error with a stable code; its message says what happened and what to do, and never contains a secret. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** After how many seconds the same may succeed; undefined where that is not known. */
  readonly retryAfterSeconds: number | undefined;
  /** The parts of the request that were refused; undefined where no part is named. */
  readonly errors: Problem['errors'];

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { retryAfterSeconds?: number; errors?: Problem['errors'] } = {},
  ) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
    this.status = errorStatus[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.errors = options.errors;
  }
}

/** Errors that many requests may meet at once, or each that comes for a time. */
const LOGGED_ONCE: readonly ErrorCode[] = ['SHUTTING_DOWN', 'OVERLOADED', 'STORAGE_UNAVAILABLE', 'ISSUER_UNAVAILABLE'];

/** True for a stop in order, and for a fault of the store or of the tokens' issuer, which are logged where they are found, once for all: a request's own line says that it got 503. */
export const isLoggedOnce = (error: unknown): boolean =>
  error instanceof ServiceError && LOGGED_ONCE.includes(error.code);

/** True where the store is at fault and not what was asked of it, so that the same may succeed later. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';

/** The result; null where it was refused for one of these reasons. Any other error stays one. */
export const unless = async <Result>(codes: readonly ErrorCode[], work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null;
    throw error;
  }
};

/** An error of TLS itself in plain words, where OpenSSL's own line names its source files; null for any other error. */
export const tlsFault = (error: unknown): string | null =>
  error instanceof Error && 'library' in error && 'reason' in error
    ? `the TLS handshake failed (${String(error.reason)})`
    : null;

/** The words of whatever was thrown. */
export const messageOf = (error: unknown): string => String(error instanceof Error ? error.message : error);
