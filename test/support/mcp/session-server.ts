import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import {
  type CallToolResult,
  McpServer,
  UrlElicitationRequiredError,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** The acts of a server of the 2025 protocol: its calls, and the answers to its questions on their connections. */
export interface Counter {
  called: string[];
  answers: string[];
}

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });

const PAGE = { mode: 'url' as const, message: 'Please pay', url: 'https://pay.example/7', elicitationId: 'e7' };

/**
 * A server of the 2025 protocol: `pay` sends its user to a page and holds its result back meanwhile; `connect` refuses until
 * it was called once before (error -32042).
 */
const createCounterServer = (counter: Counter): McpServer => {
  const server = new McpServer({ name: 'counter', version: '1.0.0' });
  const inputSchema = z.object({});
  server.registerTool('pay', { description: 'Pays.', inputSchema }, async (_, { mcpReq }) => {
    counter.called.push('pay');
    const { action } = await mcpReq.elicitInput(PAGE);
    counter.answers.push(action);
    return text(`Payment: ${action}`);
  });
  server.registerTool('connect', { description: 'Connects.', inputSchema }, () => {
    counter.called.push('connect');
    if (counter.called.length === 1) throw new UrlElicitationRequiredError([PAGE], 'Go there first');
    return text('Connected');
  });
  return server;
};

const requestOf = async ({ method = 'GET', url = '', headers }: IncomingMessage, body: string): Promise<Request> =>
  new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    body: body === '' ? null : body,
  });

/** Serves it over HTTP with sessions, until the test is finished. */
export const serveCounter = async (): Promise<{ url: string; counter: Counter }> => {
  const counter: Counter = { called: [], answers: [] };
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createCounterServer(counter).connect(transport);
    return transport;
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await requestOf(incoming, await textOf(incoming));
    const transport = sessions.get(request.headers.get('mcp-session-id') ?? '') ?? (await begin());
    const given = await transport.handleRequest(request);
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, counter };
};
