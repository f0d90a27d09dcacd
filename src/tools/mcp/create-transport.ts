import { setTimeout as wait } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/client';
import { MCP_MESSAGE_BYTES_MAX, MCP_MESSAGE_VALUES_MAX, MCP_RESULT_ENTRIES_MAX } from '../../../contracts/limits.ts';
import { bytePieces } from '../../byte-pieces.ts';
import { createMessageMeter, type MessageMeter, MessageTooLarge } from '../../message-meter.ts';
import { HttpTransport } from './http-transport.ts';
import { readListedTools } from './listed-tools.ts';
import type { McpServerConfig } from './port.ts';
import { PacedStdioTransport } from './stdio-transport.ts';

/** Carries out requests as global `fetch` does. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What a transport is made with. */
export interface TransportOptions {
  /** The folder that programs are started in. */
  cwd: string;
  fetch: Fetch;
  /** Gets what a program writes to its standard error, in pieces as they come. */
  onStderr(text: string): void;
}

/** Requests without an answer above which a server is not listened to: more than tasks make at once, and each of its own requests is answered by one. */
const UNANSWERED_MAX = 2_000;

/** Bytes of a stream that are read in one turn of the event loop: twenty requests at most, of which each is answered in up to 1 ms. */
const PIECE_BYTES = 1_024;

/** Pause before it is looked again whether a server answers, in milliseconds. */
const UNANSWERED_RETRY_MS = 20;

/** A `fetch` whose responses are measured, and read no faster than others are served meanwhile. */
const bounded = (fetch: Fetch): Fetch => {
  let unanswered = 0;
  const paced = (meter: MessageMeter, isStream: boolean): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform: async (chunk, controller) => {
        meter(chunk);
        for await (const piece of isStream ? bytePieces(chunk, PIECE_BYTES) : [chunk]) {
          while (unanswered > UNANSWERED_MAX) await wait(UNANSWERED_RETRY_MS, undefined, { ref: false });
          controller.enqueue(piece);
        }
      },
    });
  return async (url, init) => {
    unanswered += 1;
    const response = await fetch(url, init).finally(() => {
      unanswered -= 1;
    });
    const { body, status, statusText, headers } = response;
    const isStream = headers.get('content-type')?.includes('event-stream') === true;
    const meter = createMessageMeter(isStream ? 'empty_line' : 'body');
    return new Response(body?.pipeThrough(paced(meter, isStream)) ?? null, { status, statusText, headers });
  };
};

/** How many values and characters a value has in all. */
const sizeOf = (value: unknown): { values: number; chars: number } => {
  const size = { values: 0, chars: 0 };
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    size.values += 1;
    if (typeof next === 'string') size.chars += next.length;
    else if (typeof next === 'object' && next !== null)
      for (const [key, inner] of Object.entries(next)) {
        size.chars += key.length;
        left.push(inner);
      }
  }
  return size;
};

/** Ends a list of tools at the page with which it is half as long as one message may be, for the client gathers and writes out all its pages in one piece. */
const cutToolLists = (onCut: () => void): ((result: Record<string, unknown>) => void) => {
  let gathered = { values: 0, chars: 0 };
  return (result) => {
    if (!Array.isArray(result['tools'])) return;
    const { values, chars } = sizeOf(result['tools']);
    gathered = { values: gathered.values + values, chars: gathered.chars + chars };
    const isFull = gathered.values > MCP_MESSAGE_VALUES_MAX / 2 || gathered.chars > MCP_MESSAGE_BYTES_MAX / 2;
    if (result['nextCursor'] !== undefined && !isFull) return;
    gathered = { values: 0, chars: 0 };
    if (result['nextCursor'] !== undefined) onCut();
    delete result['nextCursor'];
  };
};

/** Tools named in one line of the log: a server may list thousands that are none. */
const REFUSED_NAMED_MAX = 10;

/**
 * Has a connected transport read little behind a result, and refuse results with too long a list before they are validated; it is closed then. Lists of tools of too many pages are cut, and what is no tool is
 * left out of them; `onRefused` gets the names of some of those.
 */
export const boundResults = (transport: Transport, onRefused: (names: string[]) => void): void => {
  const handle = transport.onmessage;
  const cutTools = cutToolLists(() =>
    transport.onerror?.(new Error('the list of tools is too long; its first pages are taken')),
  );
  const readTools = (result: Record<string, unknown>): void => {
    if (!Array.isArray(result['tools'])) return;
    const { tools, refused } = readListedTools(result['tools']);
    if (refused.length > 0) onRefused(refused.slice(0, REFUSED_NAMED_MAX));
    result['tools'] = tools;
  };
  const { onerror } = transport;
  transport.onerror = (error) => {
    if (transport instanceof HttpTransport) transport.threw(error);
    onerror?.(error);
  };
  transport.onmessage = (message, extra) => {
    if (transport instanceof HttpTransport && !('method' in message)) transport.answered(message.id);
    if ('result' in message) cutTools(message.result);
    const lists = 'result' in message ? Object.values(message.result).filter(Array.isArray) : [];
    if (lists.every(({ length }) => length <= MCP_RESULT_ENTRIES_MAX)) {
      if ('result' in message) readTools(message.result);
      return handle?.(message, extra);
    }
    transport.onerror?.(new MessageTooLarge(`a result has a list of more than ${MCP_RESULT_ENTRIES_MAX} entries`));
    void transport.close();
  };
};

/**
 * Creates the transport to a server, not opened yet. A program gets PATH, HOME and their like and what is configured, never the
 * service's own environment with its keys. Redirects to another origin are refused, so headers don't travel.
 */
export const createTransport = (config: McpServerConfig, options: TransportOptions): Transport => {
  if ('url' in config) return new HttpTransport(new URL(config.url), config.headers ?? {}, bounded(options.fetch));
  const { command, args = [], env = {} } = config;
  const { cwd, onStderr } = options;
  const transport = new PacedStdioTransport({ command, args, env, cwd, stderr: 'pipe' });
  transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString()));
  return transport;
};
