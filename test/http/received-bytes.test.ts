import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { LimitView } from '../../contracts/limit-views.ts';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask, dial, untilHangup } from '../support/http/send-request.ts';
import { someTurn, stubEngine } from '../support/http/stub-engine.ts';

const BODY_BYTES = 1_000;
const LIMIT = 3_500;

const [ada, bob] = KEYS.map(({ key }) => ({ authorization: `Bearer ${key}` }));

const start = async (inAll = 100_000) => {
  const engine = stubEngine({
    usage: async () => ({}) as never,
    submit: async () => ({ turn: someTurn(true), isNew: true }),
    wait: async () => someTurn(true),
  });
  const { port } = await startHttpOn(engine, {
    apiKeys: KEYS,
    protocols: ['openai'],
    limits: { bodyBytesMax: 2_000 },
    serviceLimits: { receiving_bytes: LIMIT, receiving_bytes_in_all: inAll },
  });
  const used = async (): Promise<number | null> => {
    const { limits } = (await ask(port, '/v1/limits', { headers: ada! })).json as { limits: LimitView[] };
    return limits.find(({ name }) => name === 'receiving_bytes')!.used;
  };
  const turn = (headers = ada, body: unknown = { input: 'x'.repeat(BODY_BYTES) }) =>
    ask(port, '/v1/sessions/s1/turns', { headers: headers!, body });
  return { port, used, turn };
};

const head = (framing: string, path = '/v1/sessions/s1/turns'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${ada!.authorization}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;

const begun = `${head(`Content-Length: ${BODY_BYTES}`)}{"input`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunked = head('Transfer-Encoding: chunked');

const leave = (sockets: Socket[]): void => {
  for (const socket of sockets) socket.destroy();
};

it.each([
  ['of a declared length', begun],
  ['that come in chunks', chunked + chunk('x'.repeat(BODY_BYTES))],
  ['of a front end', begun.replace('/v1/sessions/s1/turns', '/v1/chat/completions')],
])('refuses a body beyond what half-sent ones %s of its owner take, until their senders leave', async (_, text) => {
  const { port, used, turn } = await start();
  const senders = await Promise.all([1, 2, 3].map(() => dial(port, text)));
  await expect.poll(used).toBe(3 * BODY_BYTES);
  const { status, headers, problem } = await turn();
  expect([status, problem.type]).toEqual([429, '/problems/too-many-requests']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await turn(bob)).status).toBe(200);
  expect((await turn(ada, { input: 'short' })).status).toBe(200);
  leave(senders);
  await expect.poll(used).toBe(0);
  expect((await turn()).status).toBe(200);
});

it('refuses a chunked body in its midst, and reads one as ever that fits', async () => {
  const { port, used } = await start();
  const senders = await Promise.all([1, 2, 3].map(() => dial(port, begun)));
  await expect.poll(used).toBe(3 * BODY_BYTES);
  const late = await dial(port, chunked + chunk('x'.repeat(LIMIT - 3 * BODY_BYTES)));
  await expect.poll(used).toBe(LIMIT);
  late.write(`${chunk('x')}0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect((await untilHangup(late)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 200']);
  leave(senders);
  await expect.poll(used).toBe(0);
  const whole = await dial(port, chunked.replace('\r\n', '\r\nConnection: close\r\n'));
  for (const part of ['{"inp', 'ut":"', 'hello"}']) whole.write(chunk(part));
  whole.write('0\r\n\r\n');
  expect(await untilHangup(whole)).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(used).toBe(0);
});

it.each([
  ['is no JSON', `${head('Content-Length: 5')}{"inp`, 400],
  ['is of another type', `${head('Content-Length: 2').replace('application/json', 'text/plain')}{}`, 415],
  ['says to be too long', `${head('Content-Length: 3000')}{"inp`, 413],
  ['gets too long', chunked + chunk('x'.repeat(2_001)), 413],
  ['is sent to no address', `${head('Content-Length: 1000', '/nothing')}{"inp`, 404],
])('keeps nothing of a body that %s', async (_, text, status) => {
  const { port, used } = await start();
  const socket = await dial(port, text);
  const [first] = await new Promise<Buffer[]>((resolve) => socket.once('data', (data) => resolve([data])));
  expect(String(first)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  await expect.poll(used).toBe(0);
  socket.destroy();
});

it('refuses a body beyond what half-sent ones of all owners take', async () => {
  const { port, turn } = await start(1_500);
  const sender = await dial(port, begun);
  await expect.poll(async () => (await turn(bob)).status).toBe(429);
  expect((await turn(bob, { input: 'short' })).status).toBe(200);
  leave([sender]);
  await expect.poll(async () => (await turn(bob)).status).toBe(200);
});

it.each(['answering_bytes', 'answering_bytes_in_all'] as const)(
  'refuses a body beyond what those of requests that are being answered take by %s, until one is',
  async (name) => {
    const answered = Promise.withResolvers<void>();
    const engine = stubEngine({
      usage: async () => ({}) as never,
      submit: async () => ({ turn: someTurn(false), isNew: true }),
      wait: async () => {
        await answered.promise;
        return someTurn(true);
      },
    });
    const { port } = await startHttpOn(engine, { apiKeys: KEYS, serviceLimits: { [name]: LIMIT } });
    const used = async (): Promise<number> => {
      const { limits } = (await ask(port, '/v1/limits', { headers: ada! })).json as { limits: LimitView[] };
      return limits.find((limit) => limit.name === name)!.used!;
    };
    const turn = () => ask(port, '/v1/sessions/s1/turns', { headers: ada!, body: { input: 'x'.repeat(BODY_BYTES) } });
    const waiting = [turn(), turn(), turn()];
    await expect.poll(used).toBeGreaterThan(3 * BODY_BYTES);
    const { status, headers } = await turn();
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    answered.resolve();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(used).toBe(0);
    expect((await turn()).status).toBe(200);
  },
);
