import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { LIFE_MS_MAX } from '../whole-service/load.ts';

/** Requests that are sent at once; `{n}` in path and body becomes the request's number. */
export interface Calls {
  count: number;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A reply; status 0: the connection broke. */
export interface Reply {
  status: number;
  retryAfter: string | null;
  body: string;
  ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

const call = ({ method, path, headers, body = '' }: Calls, port: number, n: number): Promise<Reply> => {
  const began = performance.now();
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const numbered = (template: string): string => template.replaceAll('{n}', String(n));
  const end = (status: number, retryAfter: string | null, read: string): void =>
    resolve({ status, retryAfter, body: read, ms: performance.now() - began });
  const options = { agent, host: '127.0.0.1', port, method, path: numbered(path), headers };
  request(options, async (response) => {
    const { statusCode = 0, headers: got } = response;
    try {
      end(statusCode, got['retry-after'] ?? null, await text(response));
    } catch {
      end(0, null, '');
    }
  })
    .on('error', () => end(0, null, ''))
    .end(numbered(body));
  return promise;
};

const port = Number(process.argv[2]);
process.on('message', async (calls: Calls) => {
  process.send?.(await Promise.all(Array.from({ length: calls.count }, (_, n) => call(calls, port, n))));
});
process.on('disconnect', () => process.exit());
setTimeout(() => process.exit(1), LIFE_MS_MAX).unref();
process.send?.('ready');
