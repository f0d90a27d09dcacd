import assert from 'node:assert/strict';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import net from 'node:net';
import { Problem } from '../../../contracts/http.ts';
import { TurnView } from '../../../contracts/turn-view.ts';

/** A request as a test writes it. An object as body becomes JSON with its Content-Type. */
export interface Asked {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: unknown;
  signal?: AbortSignal;
}

/** A reply with its whole body, and methods that parse it as what it should be, and throw if it is something else. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
  readonly turn: TurnView;
  readonly problem: Problem;
}

const isRaw = (body: unknown): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body);

/** Sends a request over its own connection, with any header, and resolves as soon as the reply's headers arrive. */
export const send = (port: number, path: string, { method, headers = {}, body, signal }: Asked = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const isJson = body !== undefined && !isRaw(body);
    const text = isRaw(body) ? body : JSON.stringify(body);
    // Node itself frames no body of a GET or DELETE.
    const isFramed = 'content-length' in headers || 'transfer-encoding' in headers;
    const framing = text === undefined || isFramed ? {} : { 'content-length': `${Buffer.byteLength(text)}` };
    const request = http.request(
      {
        port,
        path,
        agent: false,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...framing, ...(isJson && { 'content-type': 'application/json' }), ...headers },
        ...(signal !== undefined && { signal }),
      },
      resolve,
    );
    request.on('error', reject);
    request.end(text);
  });

/**
 * The turn in a body. Throws if it violates the contract at any depth, or has another order of fields, as the service
 * does not check what it sends.
 */
export const turnIn = (text: string): TurnView => {
  const turn = TurnView.strict().parse(JSON.parse(text));
  if (JSON.stringify(turn) !== text) throw new Error(`no turn by the contract: ${text}`);
  return turn;
};

/** Reads all of a reply. */
export const readAnswer = async (response: IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode!,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
    get turn() {
      return turnIn(text);
    },
    get problem() {
      if (response.headers['content-type'] !== 'application/problem+json') throw new Error(`no problem: ${text}`);
      return Problem.strict().parse(JSON.parse(text));
    },
  };
};

/** Sends a request and waits for the whole reply. */
export const ask = async (port: number, path: string, asked: Asked = {}): Promise<Answer> =>
  readAnswer(await send(port, path, asked));

/** Sends an input to a session and waits for the reply. Throws for JSON that is not a turn. */
export const say = async (
  port: number,
  session: string,
  input: string,
  headers: Asked['headers'] = {},
): Promise<Answer> => {
  const answer = await ask(port, `/v1/sessions/${session}/turns`, { body: { input }, headers });
  if (answer.headers['content-type']?.startsWith('application/json')) assert.ok(answer.turn);
  return answer;
};

/** A bare connection that has sent `text`. */
export const dial = (port: number, text: string): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(text);
      resolve(socket);
    });
    socket.once('error', reject);
  });

/** Everything received until the other side disconnects. */
export const untilHangup = async (socket: net.Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
