import net from 'node:net';
import type { FuzzRequest } from './fuzz-request.ts';

/** Time for a whole response, in milliseconds: far above any that is right, also where a machine does other things meanwhile. */
const RESPONSE_MS_MAX = 30_000;

/** A response as it came over the wire. */
export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A request as it goes over the wire, and what came back; null where the connection was closed without a response. */
export interface Exchange {
  request: FuzzRequest;
  path: string;
  response: WireResponse | null;
}

const unchunked = (body: Buffer): Buffer => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    pieces.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(pieces);
};

/** The response in all that came, without those of status 1xx before it. */
const parseResponse = (bytes: Buffer): WireResponse | null => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  const rest = bytes.subarray(headEnd + 4);
  if (status < 200) return parseResponse(rest);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : rest;
  return { status, headers, body: body.toString() };
};

const isEventStream = (bytes: Buffer): boolean =>
  /content-type: text\/event-stream/i.test(bytes.toString('latin1', 0, 2_000));

const headOf = ({ method, headers, body }: FuzzRequest, path: string, port: number): Buffer => {
  const has = (name: string): boolean => headers.some(([each]) => each === name);
  const lines = [`${method} ${path} HTTP/1.1`];
  if (!has('host')) lines.push(`host: 127.0.0.1:${port}`);
  if (!has('connection')) lines.push('connection: close');
  if (body !== null && !has('content-length') && !has('transfer-encoding'))
    lines.push(`content-length: ${body.length}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
};

/**
 * Sends a request over a connection of its own, byte for byte as it is, and resolves when the response is whole, or with its beginning
 * where it is a stream of events without end. Rejects where nothing comes in time.
 */
export const exchange = (port: number, request: FuzzRequest, path: string): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(port, '127.0.0.1');
    const settle = (): void => {
      socket.destroy();
      resolve({ request, path, response: parseResponse(Buffer.concat(chunks)) });
    };
    socket.setTimeout(RESPONSE_MS_MAX, () => {
      socket.destroy();
      reject(new Error(`no response within ${RESPONSE_MS_MAX} ms to ${request.method} ${path.slice(0, 200)}`));
    });
    socket.on('connect', () => {
      socket.write(headOf(request, path, port));
      if (request.body !== null) socket.write(request.body);
      // A sender that announced more bytes than it has closes the connection.
      if (request.isBrokenMessage) socket.end();
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const isEndless = request.operation?.path.endsWith('/events') === true || request.operation === null;
      if (isEndless && isEventStream(Buffer.concat(chunks))) settle();
    });
    socket.on('end', settle);
    socket.on('error', settle);
  });
