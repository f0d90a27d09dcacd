import { ReadBuffer, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMessageMeter, type MessageMeter } from '../../message-meter.ts';
import type { McpServerConfig } from './port.ts';

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

const metered = (meter: MessageMeter): TransformStream<Uint8Array, Uint8Array> =>
  new TransformStream({
    transform: (chunk, controller) => {
      meter(chunk);
      controller.enqueue(chunk);
    },
  });

const bounded =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const { body, status, statusText, headers } = await fetch(url, init);
    const isStream = headers.get('content-type')?.includes('event-stream') === true;
    const meter = createMessageMeter(isStream ? 'empty_line' : 'body');
    return new Response(body?.pipeThrough(metered(meter)) ?? null, { status, statusText, headers });
  };

/** Reads messages from a pipe, and refuses one that is too large before it is parsed. */
class MeteredReadBuffer extends ReadBuffer {
  readonly #meter = createMessageMeter('line');

  override append(chunk: Buffer): void {
    this.#meter(chunk);
    super.append(chunk);
  }
}

/**
 * Creates the transport to a server, not opened yet. A program gets PATH, HOME and their like and what is configured, never the
 * service's own environment with its keys. Redirects to another origin are refused, so headers don't travel.
 */
export const createTransport = (config: McpServerConfig, options: TransportOptions): Transport => {
  if ('url' in config)
    return new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers ?? {} },
      fetch: bounded(options.fetch),
      onInsufficientScope: 'throw',
    });
  const { command, args = [], env = {} } = config;
  const { cwd, onStderr } = options;
  const transport = new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe' });
  // The protocol's client bounds a message's bytes alone, and has no option for another buffer.
  Object.assign(transport, { _readBuffer: new MeteredReadBuffer() });
  transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString()));
  return transport;
};
