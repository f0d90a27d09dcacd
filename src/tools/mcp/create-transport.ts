import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { byteLimit } from '../guarded-fetch.ts';
import type { McpServerConfig } from './port.ts';

/** Largest answer read from a server, in bytes: what the protocol's own client allows on a pipe. */
const ANSWER_BYTES_MAX = 10 * 1024 * 1024;

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

const bounded =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const { body, status, statusText, headers } = await fetch(url, init);
    return new Response(body?.pipeThrough(byteLimit(ANSWER_BYTES_MAX)) ?? null, { status, statusText, headers });
  };

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
  const transport = new StdioClientTransport({
    command,
    args,
    env,
    cwd,
    stderr: 'pipe',
    maxBufferSize: ANSWER_BYTES_MAX,
  });
  transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString()));
  return transport;
};
