import { setTimeout as wait } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/client';
import {
  MCP_LIST_VALUES_MAX,
  MCP_MESSAGE_BYTES_MAX,
  MCP_MESSAGE_VALUES_MAX,
  MCP_RESULT_ENTRIES_MAX,
  MCP_TOOLS_VALUES_MAX,
} from '../../../contracts/limits.ts';
import { createMessageMeter, type MessageMeter, MessageTooLarge } from '../../message-meter.ts';
import type { Fetch } from '../../paced-fetch.ts';
import { type Call, HttpTransport, reading } from './http-transport.ts';
import type { LargeMessage, LargeMessages } from './large-messages.ts';
import { labelOf, readListedTools } from './listed-tools.ts';
import { messageTurns } from './message-turns.ts';
import type { McpServerConfig } from './port.ts';
import { PacedStdioTransport } from './stdio-transport.ts';

/** What a transport is made with. */
export interface TransportOptions {
  /** The folder that programs are started in. */
  cwd: string;
  fetch: Fetch;
  /** Of the server, whatever connections it has. */
  largeMessages: LargeMessages;
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
const bounded = (fetch: Fetch, largeMessages: LargeMessages): Fetch => {
  const server = {};
  let unanswered = 0;
  const paced = (
    body: ReadableStream<Uint8Array>,
    meter: MessageMeter,
    isStream: boolean,
    call: Call | undefined,
    large: LargeMessage,
  ): ReadableStream<Uint8Array> => {
    const reader = body.getReader();
    const count = (chunk: Uint8Array): number => {
      try {
        return meter(chunk);
      } catch (error) {
        if (call !== undefined) call.fault = error;
        throw error;
      }
    };
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const { done, value: chunk } = await reader.read();
      if (done) {
        // It is parsed with its end.
        await messageTurns.next(server);
        large.end();
        return controller.close();
      }
      await large.read(count(chunk));
      if (!isStream) return controller.enqueue(chunk);
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        while (unanswered > UNANSWERED_MAX) await wait(UNANSWERED_RETRY_MS, undefined, { ref: false });
        await messageTurns.next(server);
        controller.enqueue(chunk.subarray(from, from + PIECE_BYTES));
      }
    };
    const cancel = (reason: unknown): Promise<void> => {
      large.end();
      return reader.cancel(reason);
    };
    // Nothing is read ahead, for many may wait: a stream that transforms another one holds several pieces.
    return new ReadableStream(
      {
        pull: (controller) =>
          pull(controller).catch((error) => {
            cancel(error).catch(() => {});
            throw error;
          }),
        cancel,
      },
      { highWaterMark: 0 },
    );
  };
  return async (url, init) => {
    unanswered += 1;
    const call = reading.getStore();
    const valuesMax = call?.isList ? MCP_LIST_VALUES_MAX : MCP_MESSAGE_VALUES_MAX;
    const response = await fetch(url, init).finally(() => {
      unanswered -= 1;
    });
    const { body, status, statusText, headers } = response;
    // `Response` takes no other one.
    if (status > 599) throw new Error(`HTTP ${status}`);
    const isStream = headers.get('content-type')?.includes('event-stream') === true;
    const meter = createMessageMeter(isStream ? 'empty_line' : 'body', () => valuesMax);
    const read = body && paced(body, meter, isStream, call, largeMessages(init?.signal));
    return new Response(read, { status, statusText, headers });
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

/** What is used of a tool and may be long. */
const usedOf = (tool: unknown): unknown[] => {
  const { name, description, inputSchema } = Object(tool) as Record<string, unknown>;
  return [name, description, inputSchema];
};

/**
 * Leaves the tools that fit in a list, and ends it at the page with which it is full, for the client gathers and writes out all its pages in one piece. `onCut` gets the names
 * of those left out of that page.
 */
const cutToolLists = (onCut: (names: string[]) => void): ((result: Record<string, unknown>) => void) => {
  let gathered = { taken: 0, values: 0, chars: 0 };
  return (result) => {
    const { tools, nextCursor } = result;
    if (!Array.isArray(tools)) return;
    const left: string[] = [];
    const page = sizeOf(tools);
    let { taken } = gathered;
    const fitting: unknown[] = [];
    for (const [place, tool] of tools.entries()) {
      const { values } = sizeOf(usedOf(tool));
      if (taken + values > MCP_TOOLS_VALUES_MAX || fitting.length === MCP_RESULT_ENTRIES_MAX) {
        left.push(labelOf(tool, place));
        continue;
      }
      taken += values;
      fitting.push(tool);
    }
    result['tools'] = fitting;
    gathered = { taken, values: gathered.values + page.values, chars: gathered.chars + page.chars };
    const isFull = gathered.values > MCP_LIST_VALUES_MAX / 2 || gathered.chars > MCP_MESSAGE_BYTES_MAX / 2;
    if (nextCursor !== undefined && left.length === 0 && !isFull) return;
    gathered = { taken: 0, values: 0, chars: 0 };
    delete result['nextCursor'];
    if (left.length > 0 || nextCursor !== undefined) onCut(left);
  };
};

/**
 * Has a connected transport read little behind a result, and refuse results with too long a list before they are validated; it is closed then. Lists of tools of too many pages, tools or values are cut, and what is no tool is
 * left out of them; `onLeftOut` gets the names of those, and why. A list is validated in another turn of the event loop than it is parsed in.
 */
export const boundResults = (transport: Transport, onLeftOut: (names: string[], why: string) => void): void => {
  const handle = transport.onmessage;
  const cutTools = cutToolLists((names) =>
    onLeftOut(names, 'the MCP server lists more tools than fit; they and later pages are left out'),
  );
  const readTools = (result: Record<string, unknown>, listed: unknown[]): void => {
    const { tools, refused } = readListedTools(listed);
    if (refused.length > 0) onLeftOut(refused, 'the MCP server lists tools that break the protocol; they are left out');
    result['tools'] = tools;
  };
  const { onerror } = transport;
  transport.onerror = (error) => {
    if (transport instanceof HttpTransport) transport.threw(error);
    onerror?.(error);
  };
  const takeList = async (...[message, extra]: Parameters<NonNullable<typeof handle>>): Promise<void> => {
    await messageTurns.next(transport);
    try {
      handle?.(message, extra);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  };
  transport.onmessage = (message, extra) => {
    if (transport instanceof HttpTransport && !('method' in message)) transport.answered(message.id);
    if (!('result' in message)) return handle?.(message, extra);
    const { result } = message;
    cutTools(result);
    if (Object.values(result).some((list) => Array.isArray(list) && list.length > MCP_RESULT_ENTRIES_MAX)) {
      transport.onerror?.(new MessageTooLarge(`a result has a list of more than ${MCP_RESULT_ENTRIES_MAX} entries`));
      void transport.close();
      return;
    }
    if (!Array.isArray(result['tools'])) return handle?.(message, extra);
    readTools(result, result['tools']);
    void takeList(message, extra);
  };
};

/**
 * Creates the transport to a server, not opened yet. A program gets PATH, HOME and their like and what is configured, never the
 * service's own environment with its keys. Redirects to another origin are refused, so headers don't travel.
 */
export const createTransport = (config: McpServerConfig, options: TransportOptions): Transport => {
  if ('url' in config)
    return new HttpTransport(new URL(config.url), config.headers ?? {}, bounded(options.fetch, options.largeMessages));
  const { command, args = [], env = {} } = config;
  const { cwd, onStderr } = options;
  const transport = new PacedStdioTransport({ command, args, env, cwd, stderr: 'pipe' });
  transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString()));
  return transport;
};
