import { type ErrorCode, errorStatus } from '../../contracts/error-code.ts';
import type { Problem } from '../../contracts/http.ts';

/** An error with a stable code. Its message says what happened and what to do, and never contains a secret. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds after which the same request may succeed; undefined: unknown. */
  readonly retryAfterSeconds: number | undefined;
  /** The refused parts of the request; undefined: none is named. */
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

/** Errors that many requests may meet at once, or every request for a time. */
const LOGGED_ONCE: readonly ErrorCode[] = ['SHUTTING_DOWN', 'OVERLOADED', 'STORAGE_UNAVAILABLE', 'ISSUER_UNAVAILABLE'];

/**
 * True for an orderly stop, and for faults of the store or of the tokens' issuer. They are logged once at their source;
 * a request's own line only says that it got 503.
 */
export const isLoggedOnce = (error: unknown): boolean =>
  error instanceof ServiceError && LOGGED_ONCE.includes(error.code);

/** True if the store is at fault and not the request, so that the same request may succeed later. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';

/** The result; null if it was refused for one of these reasons. Rejects with any other error. */
export const unless = async <Result>(codes: readonly ErrorCode[], work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null;
    throw error;
  }
};

/** A TLS error in plain words, as OpenSSL's own message names its source files; null for any other error. */
export const tlsFault = (error: unknown): string | null =>
  error instanceof Error && 'library' in error && 'reason' in error
    ? `the TLS handshake failed (${String(error.reason)})`
    : null;

/** The words of whatever was thrown. */
export const messageOf = (error: unknown): string => String(error instanceof Error ? error.message : error);
