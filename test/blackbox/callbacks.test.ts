import { createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { sendJson } from '../support/http/local-server.ts';
import { LOCAL_RECEIVER, startReceiver as startSharedReceiver } from '../support/service/receiver.ts';
import { answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

/** A receiver whose posts are read as finished turns, each with its key. */
const startReceiver = async (answers: Parameters<typeof startSharedReceiver>[0] = []) => {
  const { posts, ...receiver } = await startSharedReceiver(answers);
  const turns = async (count: number) =>
    (await posts(count)).map(({ headers, body }) => ({
      key: headers['idempotency-key'],
      turn: body as unknown as TurnView,
    }));
  return { ...receiver, posts: turns };
};

const KEY = 'k'.repeat(16);

const asking = [plan('book a room'), ask('Which day?')];

it('posts the finished turn as the API shows it, under its own id as the key', async () => {
  const receiver = await startReceiver();
  const service = await startService(asking, LOCAL_RECEIVER);
  const sent = await service.post(
    '/v1/sessions/s1/turns',
    { input: 'Book a room', callback_url: receiver.url },
    { prefer: 'respond-async' },
  );
  expect(sent.status).toBe(202);
  const { id } = (await sent.json()) as TurnView;
  const [post] = await receiver.posts(1);
  expect(post).toMatchObject({ key: id, turn: { id, status: 'asking', question: 'Which day?' } });
  expect(post?.turn).toEqual(await service.get(`/v1/turns/${id}`));
  expect(receiver.seen[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
});

it('posts a command too, and no turn that asked for no callback', async () => {
  const receiver = await startReceiver();
  const service = await startService([], LOCAL_RECEIVER);
  await service.say('s1', '/todo add milk');
  const { id } = await service.say('s1', '/todo list', { callback_url: receiver.url });
  expect(await receiver.posts(1)).toMatchObject([{ key: id, turn: { status: 'ran' } }]);
});

it('posts again what was not accepted, as the same turn under the same key', async () => {
  const receiver = await startReceiver([(response) => sendJson(response, { error: 'not now' }, 503)]);
  const service = await startService(asking, LOCAL_RECEIVER);
  const { id } = await service.say('s1', 'Book a room', { callback_url: receiver.url });
  const [first, second] = await receiver.posts(2);
  expect(first?.key).toBe(id);
  expect(second).toEqual(first);
});

it('takes a 2xx as accepted, however its body is encoded and whether it ends or not', async () => {
  const closed = Promise.withResolvers<void>();
  const receiver = await startReceiver([
    (response) => {
      response.once('close', closed.resolve);
      response.writeHead(200, { 'content-encoding': 'gzip' }).write('no end');
    },
  ]);
  const service = await startService([], LOCAL_RECEIVER);
  const { id } = await service.say('s1', '/status', { callback_url: receiver.url });
  await closed.promise;
  await expect
    .poll(async () => (await service.get<{ callbacks: object[] }>('/v1/callbacks?state=delivered')).callbacks)
    .toMatchObject([{ id, state: 'delivered' }]);
  expect(receiver.seen).toHaveLength(1);
});

it('posts after a restart what was not accepted before it, and what was accepted once only', async () => {
  const hangs: ServerResponse[] = [];
  const receiver = await startReceiver([(response) => void hangs.push(response)]);
  const service = await startService({ plan: plan('book'), thought: done(), replan: answer('Booked') }, LOCAL_RECEIVER);
  const { id } = await service.say('s1', 'Book a room', { callback_url: receiver.url });
  await expect.poll(() => hangs.length).toBe(1);
  await service.restart();
  expect(await receiver.posts(2)).toMatchObject([{ key: id }, { key: id, turn: { status: 'answered' } }]);
  const other = await service.say('s2', 'Book another', { callback_url: receiver.url });
  expect((await receiver.posts(3)).map(({ key }) => key)).toEqual([id, id, other.id]);
  // By the time this is answered the service has seen that the post before it was accepted.
  await service.say('s2', '/status');
  await service.restart();
  const last = await service.say('s3', 'Book a third', { callback_url: receiver.url });
  expect((await receiver.posts(4)).map(({ key }) => key)).toEqual([id, id, other.id, last.id]);
});

it('follows no redirect: what the turn says is posted where its caller said, or nowhere', async () => {
  const elsewhere = await startReceiver();
  const receiver = await startReceiver([(response) => void response.writeHead(307, { location: elsewhere.url }).end()]);
  const service = await startService(asking, LOCAL_RECEIVER);
  await service.say('s1', 'Book a room', { callback_url: receiver.url });
  await receiver.posts(2);
  expect(elsewhere.seen).toEqual([]);
});

it('posts no more to a receiver that says its address is gone', async () => {
  const receiver = await startReceiver([(response) => void response.writeHead(410).end()]);
  const service = await startService([], LOCAL_RECEIVER);
  await service.say('s1', '/status', { callback_url: receiver.url });
  await receiver.posts(1);
  const pending = async (): Promise<unknown> => {
    const { limits } = await service.get<{ limits: { name: string; used: number }[] }>('/v1/limits');
    return limits.find(({ name }) => name === 'pending_callbacks')?.used;
  };
  await expect.poll(pending).toBe(0);
  await service.restart();
  await service.say('s1', '/status', { callback_url: receiver.url });
  await receiver.posts(2);
  expect(new Set(receiver.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
});

it('signs what it posts as Standard Webhooks do, over the id, the time and the body', async () => {
  const receiver = await startReceiver();
  const key = randomBytes(32);
  const service = await startService([], {
    ...LOCAL_RECEIVER,
    TRIPACT_WEBHOOK_SECRET: `whsec_${key.toString('base64')}`,
  });
  const { id } = await service.say('s1', '/status', { callback_url: receiver.url });
  await receiver.posts(1);
  const { headers, body } = receiver.seen[0]!;
  expect(headers['webhook-id']).toBe(id);
  const timestamp = String(headers['webhook-timestamp']);
  expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(60);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
});

it('bears no signature without a secret', async () => {
  const receiver = await startReceiver();
  const service = await startService([], LOCAL_RECEIVER);
  await service.say('s1', '/status', { callback_url: receiver.url });
  await receiver.posts(1);
  expect(receiver.seen[0]?.headers).not.toHaveProperty('webhook-signature');
});

it.each([
  ['without keys', {}],
  ['with keys', { TRIPACT_API_KEYS: `ada:${KEY}` }],
])('%s, refuses a private address when it is sent, and reaches what TRIPACT_CALLBACK_HOSTS names', async (_, keys) => {
  const receiver = await startReceiver();
  const send = (service: Service) =>
    service.post(
      '/v1/sessions/s1/turns',
      { input: '/todo list', callback_url: receiver.url },
      { authorization: `Bearer ${KEY}` },
    );
  const closed = await startService([], keys);
  const refused = await send(closed);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    type: '/problems/invalid-request',
    detail:
      'callback_url: 127.0.0.1 is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=127.0.0.1 does)',
  });
  const taken = await send(await startService([], { ...keys, ...LOCAL_RECEIVER }));
  expect(taken.status).toBe(200);
  expect(await receiver.posts(1)).toHaveLength(1);
});

it('posts nothing to a private address that is not named any more', async () => {
  const receiver = await startReceiver([(response) => sendJson(response, {}, 503)]);
  const service = await startService([], LOCAL_RECEIVER);
  await service.say('s1', '/status', { callback_url: receiver.url });
  await receiver.posts(1);
  await service.restart({ TRIPACT_CALLBACK_HOSTS: '' });
  const shown = () => service.get('/v1/callbacks');
  await expect
    .poll(shown)
    .toMatchObject({ callbacks: [{ attempts: 2, last_error: expect.stringContaining('not an address') }] });
  expect(receiver.seen).toHaveLength(1);
});
