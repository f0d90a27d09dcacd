import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { paceConnections } from '../../src/http/paced-connections.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask, dial, untilHangup } from '../support/http/send-request.ts';
import { someTurn, stubEngine } from '../support/http/stub-engine.ts';
import { longestBlock } from '../support/longest-block.ts';

/** Longest block that is let pass, in milliseconds: 50, and what the caller in the same process takes. */
const BLOCKED_MS_MAX = 80;

const body = JSON.stringify({ input: 'x'.repeat(5_000) });

const request = (i: number): string => {
  const head = `Host: localhost\r\nX-Request-Id: r${i}\r\n`;
  if (i % 3 === 0) return `GET /healthz HTTP/1.1\r\n${head}\r\n`;
  const type = `${head}Content-Type: application/json\r\n`;
  // Less than is asked for, so that it is refused before an engine is asked.
  const path = '/v1/sessions/s1/plans/p/activate';
  if (i % 3 === 1) return `POST ${path} HTTP/1.1\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunks = [...body.matchAll(/.{1,700}/g)].map(([part]) => `${part.length.toString(16)}\r\n${part}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${type}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`;
};

it('answers in their order all requests that a connection sends ahead, wherever its packets begin', async () => {
  const { port } = await startHttpOn(stubEngine({}));
  const ids = Array.from({ length: 900 }, (_, i) => i);
  const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: last\r\nConnection: close\r\n\r\n';
  const text = ids.map(request).join('') + last;
  const socket = await dial(port, '');
  const answered = untilHangup(socket);
  for (let at = 0, size = 1; at < text.length; at += size, size = ((size * 7) % 100_003) + 1)
    if (!socket.write(text.slice(at, at + size))) await once(socket, 'drain');
  const seen = [...(await answered).matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id]) => id);
  expect(seen).toEqual([...ids.map((i) => `r${i}`), 'last']);
});

it.each(['an open service', 'a service with keys'])(
  'gives the turns that a connection sends ahead to %s in their order',
  async (what) => {
    const isOpen = what === 'an open service';
    const inputs = Array.from({ length: 60 }, (_, i) => `Turn ${i}`);
    const submitted: string[] = [];
    const all = Promise.withResolvers<void>();
    const submit = async ({ input }: { input: string }) => {
      if (submitted.push(input) === inputs.length) all.resolve();
      throw new ServiceError('TASK_RUNNING', 'Another task runs');
    };
    const { port } = await startHttpOn(stubEngine({ submit }), { apiKeys: isOpen ? [] : KEYS });
    const head = `Host: localhost\r\n${isOpen ? '' : `Authorization: Bearer ${KEYS[0]!.key}\r\n`}Content-Type: application/json`;
    const sent = inputs.map((input) => {
      const body = JSON.stringify({ input });
      return `POST /v1/sessions/s1/turns HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    });
    const socket = await dial(port, sent.join(''));
    await all.promise;
    expect(submitted).toEqual(inputs);
    socket.destroy();
  },
);

it('works on a request that was sent ahead once the reply before it was taken', async () => {
  const asked: string[] = [];
  const first = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const turn = async (_owner: string, id: string) => {
    asked.push(id);
    first.resolve();
    await release.promise;
    return someTurn(true);
  };
  const { port } = await startHttpOn(stubEngine({ turn }));
  const ids = ['t1', 't2', 't3'];
  const socket = await dial(port, ids.map((id) => `GET /v1/turns/${id} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  await first.promise;
  for (let i = 0; i < 5; i += 1) await ask(port, '/healthz');
  expect(asked).toEqual(['t1']);
  release.resolve();
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect((await untilHangup(socket)).match(/HTTP\/1\.1 200 /g)).toHaveLength(4);
  expect(asked).toEqual(ids);
});

it('reads the shortest requests that there are, sent without end, over turns of the event loop and not ahead of its replies', async () => {
  const { port } = await startHttpOn(stubEngine({}));
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let isFull = false;
  const blockedMs = await longestBlock(async () => {
    // Nobody reads the replies, so that the service stops to read after some.
    socket.pause();
    const requests = 'GET / HTTP/1.1\r\n\r\n'.repeat(3_000);
    for (let i = 0; i < 400 && !isFull; i += 1)
      isFull = !socket.write(requests) && !(await Promise.race([once(socket, 'drain'), once(socket, 'close'), late()]));
  });
  expect(isFull).toBe(true);
  expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  socket.destroy();
});

const late = (): Promise<false> => new Promise((resolve) => setTimeout(resolve, 300, false));

it.each(['end', 'reset'])(
  'closes a few connections in each turn of the event loop where all callers leave at once (%s)',
  async (how) => {
    const server = new EventEmitter();
    paceConnections({ server } as unknown as FastifyInstance);
    let closed = 0;
    const close = (): void => {
      closed += 1;
    };
    const sockets = Array.from({ length: 200 }, () => {
      const socket = new EventEmitter().on('end', close);
      Object.assign(socket, { pause: () => socket, resume: () => socket, destroy: close });
      server.emit('connection', socket);
      return socket as net.Socket;
    });
    for (const socket of sockets)
      if (how === 'end') socket.emit('end');
      else socket.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    expect(closed).toBeLessThanOrEqual(16);
    await expect.poll(() => closed).toBe(200);
  },
);
