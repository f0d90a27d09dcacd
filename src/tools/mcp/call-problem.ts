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

/**
 * Why a call brought no result. `refused`: the server answered with an error. `wantsInput`: it wanted to ask the user first, which is
 * never done. `invalidResult`: it answered, but not with a result. `notCalled`: it was never reached, or forgot the connection. `lost`: it may
 * have done anything.
 */
export type CallProblem = 'refused' | 'wantsInput' | 'invalidResult' | 'notCalled' | 'lost';

/** True where the server forgot the connection, and so did nothing. */
export const isForgotten = (error: unknown): boolean => error instanceof SdkHttpError && error.status === 404;

/** Sorts the errors of calls. */
export const callProblem = (error: unknown): CallProblem => {
  if (error instanceof ProtocolError) return error.data === NO_ANSWER ? 'lost' : 'refused';
  if (error instanceof SdkHttpError && error.status >= 400 && error.status < 500) return 'notCalled';
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.UnsupportedResultType) return 'wantsInput';
    if (error.code === SdkErrorCode.InvalidResult) return 'invalidResult';
    if (error.code === SdkErrorCode.NotConnected) return 'notCalled';
  }
  return causesOf(error).some((cause) => UNSENT.includes(codeOf(cause))) ? 'notCalled' : 'lost';
};
