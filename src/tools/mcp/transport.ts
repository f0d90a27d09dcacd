import {
  type AuthProvider,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { plainLine } from '../../../contracts/text.ts';
import { tlsFault } from '../../lib/errors.ts';
import type { McpServerConfig } from './port.ts';

/** Longest message of an MCP server, in bytes: an observation keeps far less of it. */
const MCP_MESSAGE_BYTES_MAX = 1024 * 1024;

/** Reason for a server that sent too much. */
export const TOO_LARGE = `a message has more than ${MCP_MESSAGE_BYTES_MAX} bytes`;

export const isTooLarge = ({ message }: Error): boolean =>
  message.includes(TOO_LARGE) || message.includes('exceeded maximum size');

/** Makes a byte stream fail at a message above the limit: a whole JSON body, or one event of a stream. */
const limitMessages = (isStream: boolean): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MCP_MESSAGE_BYTES_MAX) return controller.error(new Error(TOO_LARGE));
      controller.enqueue(chunk);
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      if (isStream && (text.includes('\n\n') || text.includes('\r\n\r\n'))) bytes = 0;
    },
  });
};

const limitedFetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
  const { body, status, statusText, headers } = await fetch(url, init);
  const isStream = headers.get('content-type')?.includes('event-stream') === true;
  return new Response(body?.pipeThrough(limitMessages(isStream)) ?? null, { status, statusText, headers });
};

/** Data of the error that replaces an answer that never came. */
const NO_ANSWER = 'tripact:no_answer';

/** Fails a call whose response stream ends without an answer; the client alone would wait for its timeout. */
class HttpTransport extends StreamableHTTPClientTransport {
  override send(...[message, options]: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    if (Array.isArray(message) || !('method' in message && 'id' in message) || message.method !== 'tools/call')
      return super.send(message, options);
    const error = { code: -32_000, message: 'its response ended without an answer', data: NO_ANSWER };
    const onRequestStreamEnd = (): void => this.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

/**
 * A program that is asked for its protocol on its own connection. The library's class would start another process for
 * that.
 */
class ProgramTransport extends StdioClientTransport {}

/**
 * Creates the transport to a server. A program gets PATH, HOME and the configured variables, never the service's keys.
 * Redirects to another origin are refused.
 */
export const createTransport = (
  config: McpServerConfig,
  { cwd, onStderr, auth }: { cwd: string; onStderr(text: string): void; auth: AuthProvider | null },
): Transport => {
  if ('url' in config) {
    const requestInit = { headers: config.headers ?? {} };
    const authorized = auth === null ? {} : { authProvider: auth, onInsufficientScope: 'throw' as const };
    return new HttpTransport(new URL(config.url), { requestInit, fetch: limitedFetch, ...authorized });
  }
  const { command, args = [], env = {} } = config;
  const limits = { stderr: 'pipe', maxBufferSize: MCP_MESSAGE_BYTES_MAX } as const;
  const transport = new ProgramTransport({ command, args, env, cwd, ...limits });
  transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString()));
  return transport;
};

const REASON_CHARS_MAX = 400;

/** System errors that occur before a request was sent. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** An error with its causes: the reason for `fetch failed` is one or two levels down. */
const causesOf = (error: unknown): unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error];

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);

const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SdkHttpError)
    return error.message.replace(/^Error POSTing to endpoint:(?: null$)?/, `HTTP ${error.status}`);
  // The library's schema error is a document of its own.
  if ('issues' in error) return 'not valid JSON-RPC';
  return tlsFault(error) ?? (error.message || codeOf(error));
};

/** An error and its causes on one line; `hide` masks secrets before the line is cut. */
export const reasonOf = (error: unknown, hide: (text: string) => string): string =>
  plainLine(hide([...new Set(causesOf(error).map(wordsOf))].join(': ')), REASON_CHARS_MAX);

/**
 * True if the server forgot the connection and so did nothing: by 404, or by the 400 that many servers send instead.
 */
export const isForgotten = (error: unknown): boolean =>
  error instanceof SdkHttpError && (error.status === 404 || error.status === 400);

export const isUnreached = (error: unknown): boolean =>
  (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) ||
  causesOf(error).some((cause) => UNSENT.includes(codeOf(cause)));

/**
 * Why a call has no result: the server refused it, it was not reached (`notCalled`), or the call is `lost` and may have
 * had any effect.
 */
export const callProblem = (error: unknown): 'refused' | 'notCalled' | 'lost' => {
  if (error instanceof ProtocolError) return error.data === NO_ANSWER ? 'lost' : 'refused';
  const isRefusedByStatus = error instanceof SdkHttpError && error.status >= 400 && error.status < 500;
  return isRefusedByStatus || isUnreached(error) ? 'notCalled' : 'lost';
};
