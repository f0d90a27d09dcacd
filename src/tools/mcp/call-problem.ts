import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { plainLine } from '../../../contracts/text.ts';
import { tlsFault } from '../tls-fault.ts';
import { isNoAnswer } from './transport.ts';

/** Longest reason that is repeated from a server or a network error, in characters. */
const REASON_CHARS_MAX = 400;

/** Causes looked at below an error: `fetch failed` has what happened one or two levels down. */
const CAUSES_MAX = 4;

/** System errors that come before a request has left. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

const causesOf = (error: unknown): unknown[] => {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && causes.length < CAUSES_MAX; ) {
    causes.push(at);
    at = at instanceof Error ? at.cause : undefined;
  }
  return causes;
};

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SdkHttpError)
    return error.message.replace(/^Error POSTing to endpoint:(?: null$)?/, `HTTP ${error.status}`);
  // The message of the library's schema is a document of its own.
  if ('issues' in error) return 'not valid JSON-RPC';
  return error.message || String(codeOf(error) ?? error.name);
};

/** An error and its causes on one line; `hide` masks secrets before the line is cut. */
export const reasonOf = (error: unknown, hide: (text: string) => string): string => {
  const words = causesOf(error).map((cause) => tlsFault(cause) ?? wordsOf(cause));
  return plainLine(hide([...new Set(words)].join(': ')), REASON_CHARS_MAX);
};

/**
 * Why a call brought no result. `refused`: the server answered with an error. `asking`: it wanted input first, which is never given.
 * `garbled`: it answered, but not with a result. `unsent`: it was never reached. `session_gone`: it forgot the connection, so it did
 * nothing. `lost`: it may have done anything.
 */
export type CallProblem = 'refused' | 'asking' | 'garbled' | 'unsent' | 'session_gone' | 'lost';

/** Sorts the errors of calls. */
export const callProblem = (error: unknown): CallProblem => {
  if (error instanceof ProtocolError) return isNoAnswer(error) ? 'lost' : 'refused';
  if (error instanceof SdkHttpError && error.status === 404) return 'session_gone';
  if (error instanceof SdkHttpError && error.status >= 400 && error.status < 500) return 'unsent';
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.UnsupportedResultType) return 'asking';
    if (error.code === SdkErrorCode.InvalidResult) return 'garbled';
    if (error.code === SdkErrorCode.NotConnected) return 'unsent';
  }
  return causesOf(error).some((cause) => UNSENT.includes(String(codeOf(cause)))) ? 'unsent' : 'lost';
};
