import { type ErrorCode, errorStatus } from '../contracts/error-code.ts';

/** An error with a stable code; its message says what happened and what to do, and never contains a secret. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** After how many seconds the same may succeed; undefined where that is not known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
    this.status = errorStatus[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
