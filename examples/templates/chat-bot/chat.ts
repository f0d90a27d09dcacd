import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Tripact } from 'tripact';

/** Longest message of a visitor, in bytes. */
const MESSAGE_BYTES_MAX = 8_000;

/** Each visitor's one session. */
const SESSION = 'chat';

const VISITOR = /(?:^|; )visitor=([0-9a-f-]{36})(?:;|$)/;

/** The visitor by their cookie: each has an owner of their own, and so sessions, todos and memory of their own. */
const visitorOf = (request: IncomingMessage, response: ServerResponse): string => {
  const known = VISITOR.exec(request.headers.cookie ?? '')?.[1];
  const visitor = known ?? randomUUID();
  if (known === undefined)
    response.setHeader('set-cookie', `visitor=${visitor}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`);
  return `visitor-${visitor}`;
};

const messageIn = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MESSAGE_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString().trim();
};

const reply = async (tripact: Tripact, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const owner = visitorOf(request, response);
  const input = await messageIn(request);
  if (input === null || input === '') return void response.writeHead(400).end('Send a message of up to 8,000 bytes');
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  for await (const text of tripact.stream({ session: SESSION, owner, input })) response.write(text);
  response.end();
};

/** The conversation so far, oldest first: what the visitor said, and the reply; null: none yet. */
const conversation = async (tripact: Tripact, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const owner = visitorOf(request, response);
  const { turns } = await tripact.turns({ session: SESSION, owner }).catch((error: { code?: string }) => {
    if (error.code !== 'SESSION_NOT_FOUND') throw error;
    return { turns: [] };
  });
  const lines = turns.map(({ input, output }) => ({ input, output })).toReversed();
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(lines));
};

/**
 * A chat page at `/`, its replies at `POST /chat` as text while they are written, and the conversation so far at
 * `GET /chat`. Does not listen.
 */
export const createChat = (tripact: Tripact): Server =>
  createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.method === 'POST' && request.url === '/chat') return reply(tripact, request, response);
      if (request.method === 'GET' && request.url === '/chat') return conversation(tripact, request, response);
      if (request.method !== 'GET' || request.url !== '/') return void response.writeHead(404).end('Not found');
      const page = await readFile(new URL('page.html', import.meta.url));
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    };
    answer().catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end('Something went wrong');
    });
  });
