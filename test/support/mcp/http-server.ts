import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { createSampleServer, type SampleOptions } from './sample-server.ts';

/** The sample server over HTTP, which a test can stop and restart on the same port. */
export interface HttpSample {
  url: string;
  /** The JSON-RPC methods that it received, in order. */
  asked: string[];
  /** The headers of the last request. */
  lastHeaders(): IncomingMessage['headers'];
  /** Answers the next request for this method in place of the server. */
  next(method: string, answer: (response: ServerResponse, id: unknown) => void): void;
  /** Changes its tools and notifies its clients. */
  update(options: SampleOptions): void;
  /** Ends it with all its connections, like a crash. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** Whether a request may reach the server; where not, it has been answered. */
export type Admit = (request: IncomingMessage, method: string, response: ServerResponse) => Promise<boolean>;

/** Serves the sample server over HTTP until the test is finished. */
export const serveSample = async (
  options: SampleOptions = {},
  create: (options: SampleOptions) => McpServer = createSampleServer,
  admit: Admit = async () => true,
): Promise<HttpSample> => {
  let current = options;
  const asked: string[] = [];
  const answers = new Map<string, (response: ServerResponse, id: unknown) => void>();
  let headers: IncomingMessage['headers'] = {};
  const handler = createMcpHandler(() => create(current));

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    headers = incoming.headers;
    const body = await bodyOf(incoming);
    const { method, id } = body === '' ? { method: incoming.method, id: null } : JSON.parse(body);
    asked.push(method);
    if (!(await admit(incoming, method, response))) return;
    const instead = answers.get(method);
    answers.delete(method);
    if (instead !== undefined) return instead(response, id);
    const left = new AbortController();
    response.on('close', () => left.abort());
    const given = await handler.fetch(
      new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method!,
        headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
        body: body === '' ? null : body,
        signal: left.signal,
      }),
    );
    response.writeHead(given.status, Object.fromEntries(given.headers)).flushHeaders();
    if (given.body === null) response.end();
    else
      Readable.fromWeb(given.body as ReadableStream)
        .on('error', () => response.destroy())
        .pipe(response);
  };

  const server = http.createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    lastHeaders: () => headers,
    next: (method, instead) => answers.set(method, instead),
    update: (changed) => {
      current = changed;
      handler.notify.toolsChanged();
    },
    stop,
    start: () => listen(port),
  };
};
