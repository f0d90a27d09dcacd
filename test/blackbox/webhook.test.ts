import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { CallbackView } from '../../contracts/callback.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { LOCAL_RECEIVER, type ReceivedPost, startReceiver } from '../support/service/receiver.ts';
import { ask, plan, type Service, startService } from '../support/service/service.ts';

const asking = [plan('book a room'), ask('Which day?')];
const KEYED = { TRIPACT_API_KEYS: `ada:${'k'.repeat(16)}` };

const saying = (posts: ReceivedPost[], type: string): ReceivedPost => posts.find(({ body }) => body.type === type)!;

const list = async (service: Service, query = ''): Promise<CallbackView[]> =>
  (await service.get<{ callbacks: CallbackView[] }>(`/v1/callbacks${query}`)).callbacks;

describe('The webhook', () => {
  it('says what happens in every session, signed so that the library of Standard Webhooks takes it', async () => {
    const receiver = await startReceiver();
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const told = { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url, TRIPACT_WEBHOOK_SECRET: secret };
    const service = await startService(asking, told);
    const turn = await service.say('s1', 'Book a room');
    const posts = await receiver.posts(2);
    const question = saying(posts, 'question.asked');
    expect(new Webhook(secret).verify(question.text, question.headers)).toEqual({
      type: 'question.asked',
      timestamp: turn.finished_at,
      owner: 'local',
      data: {
        ...{ session_id: 's1', task_id: turn.task_id, goal: 'Book a room', metadata: {} },
        ...{ question: 'Which day?', options: null },
      },
    });
    expect(() => new Webhook(secret).verify(question.text.replace('day', 'hour'), question.headers)).toThrow();
    expect(saying(posts, 'turn.finished').body.data).toEqual(await service.get(`/v1/turns/${turn.id}`));
  });

  it.each([
    ['without keys', {}],
    ['with keys', KEYED],
  ])('%s, may be a private address only where it is named, and the start says so', async (_, keys) => {
    const env = { ...keys, TRIPACT_WEBHOOK_URL: 'http://10.0.0.1/hook' };
    await expect(startService([], env)).rejects.toThrow(
      'TRIPACT_WEBHOOK_URL: 10.0.0.1 is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=10.0.0.1 does).',
    );
    await startService([], { ...env, TRIPACT_CALLBACK_HOSTS: '10.0.0.0/8' });
  });
});

describe('A callback', () => {
  it('is the finished turn as the API shows it, under its own id, without a signature where there is no secret', async () => {
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
    expect(post?.headers).toMatchObject({ 'idempotency-key': id, 'content-type': 'application/json' });
    expect(post?.headers).not.toHaveProperty('webhook-signature');
    expect(post?.body).toEqual(await service.get(`/v1/turns/${id}`));
  });

  it('follows no redirect: it is posted where its caller said, or nowhere', async () => {
    const elsewhere = await startReceiver();
    const receiver = await startReceiver([
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    ]);
    const service = await startService([], LOCAL_RECEIVER);
    await service.say('s1', '/status', { callback_url: receiver.url });
    await receiver.posts(2);
    expect(elsewhere.seen).toEqual([]);
  });

  it.each([
    ['without keys', {}],
    ['with keys', KEYED],
  ])('%s, to a private address that is not named is refused when it is sent', async (_, keys) => {
    const service = await startService([], keys);
    const body = { input: '/todo list', callback_url: 'http://127.0.0.1/hook' };
    const refused = await service.post('/v1/sessions/s1/turns', body, { authorization: `Bearer ${'k'.repeat(16)}` });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      type: '/problems/invalid-request',
      detail:
        'callback_url: 127.0.0.1 is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=127.0.0.1 does)',
    });
  });
});

it('callbacks are listed a page at a time, newest first', async () => {
  const receiver = await startReceiver();
  const service = await startService([], { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url });
  for (let i = 0; i < 3; i += 1) await service.say('s1', '/status');
  const all = await list(service);
  const { next, callbacks } = await service.get<{ callbacks: CallbackView[]; next: string }>('/v1/callbacks?limit=2');
  const listed = [...callbacks, ...(await list(service, `?limit=2&cursor=${next}`))];
  expect(listed.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(all).toHaveLength(3);
});
