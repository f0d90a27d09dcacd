import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpFetch } from '../../src/models/http/http-fetch.ts';
import { createPacedConnector } from '../../src/paced-connector.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';
import { callsInTurns } from '../support/turn-counts.ts';

/** Calls at once. */
const CROWD = 300;

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** A server that does the same to all connections once so many have asked, and to each later one as it asks. */
const startCrowdServer = async (count: number, act: (socket: Socket) => void): Promise<string> => {
  const waiting: Socket[] = [];
  let isOpen = false;
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', () => {
        if (isOpen) return act(socket);
        waiting.push(socket);
        isOpen = waiting.length === count;
        if (isOpen) for (const each of waiting) act(each);
      });
    onTestFinished(() => void socket.destroy());
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: CROWD });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** How many of the calls that end at once do so in one turn of the event loop, at most. */
const mostInOneTurn = async (act: (socket: Socket) => void): Promise<number> => {
  const origin = await startCrowdServer(CROWD, act);
  const agent = new Agent({ connect: createPacedConnector() });
  onTestFinished(() => void agent.destroy());
  const { count, most } = callsInTurns();
  const ended = Array.from({ length: CROWD }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      count();
      resolve();
    };
    const handler = { onRequestStart() {}, onResponseStart() {}, onResponseData() {}, onResponseEnd: end };
    agent.dispatch({ origin, path: '/', method: 'POST', body: 'ask' }, {
      ...handler,
      onResponseError: end,
    } as Dispatcher.DispatchHandler);
    return promise;
  });
  await Promise.all(ended);
  return most();
};

test.each<[string, (socket: Socket) => void]>([
  ['answers', (socket) => socket.write(ANSWER)],
  ['answers with the end of their connections', (socket) => socket.end(ANSWER)],
  ['connections that end', (socket) => socket.end()],
  ['connections that are reset', (socket) => socket.resetAndDestroy()],
])('of many %s at once a few are taken in each turn of the event loop', async (_name, act) => {
  expect(await mostInOneTurn(act)).toBeLessThan(100);
});

const ask = async (send: typeof fetch, url: string): Promise<string> =>
  (await send(url, { method: 'POST', headers: new Headers(), body: 'ask' })).text();

test('answers that come at once, each with a reset behind it, are all read', async () => {
  const url = await startCrowdServer(CROWD, (socket) => {
    socket.write(ANSWER, () => setImmediate(() => socket.resetAndDestroy()));
  });
  const send = createHttpFetch(10_000);
  const answers = await Promise.all(Array.from({ length: CROWD }, () => ask(send, url)));
  expect(answers).toEqual(Array(CROWD).fill('{}'));
});

test('no request is sent on a connection that the server has ended', async () => {
  const url = await startCrowdServer(CROWD, (socket) => socket.end(ANSWER));
  const send = createHttpFetch(10_000);
  const twice = async (): Promise<string> => (await ask(send, url)) + (await ask(send, url));
  const answers = await Promise.all(Array.from({ length: CROWD }, twice));
  expect(answers).toEqual(Array(CROWD).fill('{}{}'));
});

test('a server that is not there is said to be so', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await expect(ask(createHttpFetch(10_000), `http://127.0.0.1:${port}`)).rejects.toThrow(/ECONNREFUSED/);
});

test('an answer without a length ends with its connection', async () => {
  const url = await startCrowdServer(1, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":1}'));
  expect(await ask(createHttpFetch(10_000), url)).toBe('{"a":1}');
});

test('an answer that is shorter than it says is none', async () => {
  const url = await startCrowdServer(1, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'));
  await expect(ask(createHttpFetch(10_000), url)).rejects.toThrow();
});

test('a head that never ends is refused at its first lines', MEASURED_AGAIN, async () => {
  const lines = 'a: b\r\n'.repeat(20_000);
  const send = createHttpFetch(10_000);
  const refused = async (head: string): Promise<void> => {
    const url = await startCrowdServer(1, (socket) => socket.write(head + lines));
    await expect(ask(send, url)).rejects.toThrow(/Headers Overflow/);
  };
  await refused('HTTP/1.1 200 OK\r\n');
  expect(await longestBlock(() => refused('HTTP/1.1 200 OK\r\n'))).toBeLessThan(50);
  expect(await longestBlock(() => refused('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n'))).toBeLessThan(
    50,
  );
});
