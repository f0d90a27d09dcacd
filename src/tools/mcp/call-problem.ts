import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { plainLine } from '../../../contracts/text.ts';
import { tlsFault } from '../../lib/errors.ts';
import { NO_ANSWER } from './transport.ts';

/** Longest reason that is repeated from a server or a network error, in characters. */
const REASON_CHARS_MAX = 400;

/** System errors that come before a request has left. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** An error with what caused it: `fetch failed` has what happened one or two levels down. */
const causesOf = (error: unknown): unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error];

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SdkHttpError)
    return error.message.replace(/^Error POSTing to endpoint:(?: null$)?/, `HTTP ${error.status}`);
  // The message of the library's schema is a document of its own.
  if ('issues' in error) return 'not valid JSON-RPC';
  return tlsFault(error) ?? (error.message || codeOf(error));
};

/** An error and its causes on one line; `hide` masks secrets before the line is cut. */
export const reasonOf = (error: unknown, hide: (text: string) => string): string =>
  plainLine(hide([...new Set(causesOf(error).map(wordsOf))].join(': ')), REASON_CHARS_MAX);

/** True where the server forgot the connection, and so did nothing: by 404, or by the 400 that many servers have for it. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof SdkHttpError && (error.status === 404 || error.status === 400);

/** True where the server was not reached. */
export const isUnreached = (error: unknown): boolean =>
  (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) ||
  causesOf(error).some((cause) => UNSENT.includes(codeOf(cause)));

/**
 * Why a call brought no result. `refused`: the server answered with an error. `notCalled`: it was not reached, or took no request.
 * `lost`: it may have done anything.
 */
export const callProblem = (error: unknown): 'refused' | 'notCalled' | 'lost' => {
  if (error instanceof ProtocolError) return error.data === NO_ANSWER ? 'lost' : 'refused';
  const isRefusedByStatus = error instanceof SdkHttpError && error.status >= 400 && error.status < 500;
  return isRefusedByStatus || isUnreached(error) ? 'notCalled' : 'lost';
};
