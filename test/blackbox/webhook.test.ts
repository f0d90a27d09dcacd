import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { CallbackView } from '../../contracts/callback.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { LOCAL_RECEIVER, type ReceivedPost, startReceiver } from '../support/service/receiver.ts';
import { ask, plan, type Service, startService } from '../support/service/service.ts';

const asking = [plan('book a room'), ask('Which day?')];
const KEYED = { TRIPACT_API_KEYS: `ada:${'k'.repeat(16)}` };

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const saying = (posts: ReceivedPost[], type: string): ReceivedPost => posts.find(({ body }) => body.type === type)!;

const list = async (service: Service, query = ''): Promise<CallbackView[]> =>
  (await service.get<{ callbacks: CallbackView[] }>(`/v1/callbacks${query}`)).callbacks;

describe('The webhook', () => {
  it('says what happens in every session, signed so that the library of Standard Webhooks takes it', async () => {
    const receiver = await startReceiver();
    const secret = newSecret();
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
        session_id: 's1',
        task_id: turn.task_id,
        goal: 'Book a room',
        metadata: {},
        by: { owner: 'local', via: 'http' },
        question: 'Which day?',
        options: null,
      },
    });
    expect(() => new Webhook(secret).verify(question.text.replace('day', 'hour'), question.headers)).toThrow();
    expect(saying(posts, 'turn.finished').body.data).toEqual(await service.get(`/v1/turns/${turn.id}`));
  });

  it('is signed by each of two secrets, so that receivers can change over one by one', async () => {
    const receiver = await startReceiver();
    const [old, next] = [newSecret(), newSecret()];
    const told = { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url, TRIPACT_WEBHOOK_SECRET: `${next}, ${old}` };
    await (await startService([], told)).say('s1', '/status');
    const [post] = await receiver.posts(1);
    for (const secret of [old, next])
      expect(new Webhook(secret).verify(post!.text, post!.headers)).toMatchObject({ type: 'turn.finished' });
    expect(() => new Webhook(newSecret()).verify(post!.text, post!.headers)).toThrow();
  });

  it.each([
    ['three secrets', { TRIPACT_WEBHOOK_SECRET: [1, 2, 3].map(newSecret).join() }, 'TRIPACT_WEBHOOK_SECRET'],
    ['a secret without an endpoint', { TRIPACT_CALLBACK_SECRETS: newSecret() }, 'TRIPACT_CALLBACK_SECRETS'],
    ['an endpoint without a secret', { TRIPACT_CALLBACK_SECRETS: 'a.example' }, 'TRIPACT_CALLBACK_SECRETS'],
    [
      'an endpoint with a query',
      { TRIPACT_CALLBACK_SECRETS: `a.example/?q=${newSecret()}` },
      'TRIPACT_CALLBACK_SECRETS',
    ],
    [
      'three secrets of an endpoint',
      { TRIPACT_CALLBACK_SECRETS: [1, 2, 3].map(() => `a.example=${newSecret()}`).join() },
      'TRIPACT_CALLBACK_SECRETS',
    ],
  ])('does not start with %s, and shows none', async (_, env, variable) => {
    const error = await startService([], env).then(String, String);
    expect(error).toContain(variable);
    expect(error).not.toContain(Object.values(env).join().slice(-40));
  });

  it.each([
    ['without keys', {}],
    ['with keys', KEYED],
  ])('%s, may be a private address only where it is named, and the start says so', async (_, keys) => {
    const env = { ...keys, TRIPACT_WEBHOOK_URL: 'http://10.0.0.1/hook' };
    await expect(startService([], env)).rejects.toThrow(
      'TRIPACT_WEBHOOK_URL: 10.0.0.1 is not on the public internet; TRIPACT_CALLBACK_HOSTS=10.0.0.1 would allow it.',
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

  it('is signed by the secrets of its endpoint, and by no others', async () => {
    const [hooks, other] = [await startReceiver(), await startReceiver()];
    const [general, own, next, deep] = [newSecret(), newSecret(), newSecret(), newSecret()];
    const { host } = new URL(hooks.url);
    const secrets = `${host}=${own},http://${host}/=${next},${host}/hook/deep=${deep}`;
    const told = { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_SECRET: general, TRIPACT_CALLBACK_SECRETS: secrets };
    const service = await startService([], told);
    for (const callback_url of [hooks.url, `${hooks.url}/deep?x=1`, `${hooks.url}/deeper`, other.url]) {
      await service.say('s1', '/status', { callback_url });
    }
    const signers = ({ text, headers }: ReceivedPost): string[] =>
      Object.entries({ general, own, next, deep }).flatMap(([name, secret]) => {
        try {
          new Webhook(secret).verify(text, headers);
          return [name];
        } catch {
          return [];
        }
      });
    expect((await hooks.posts(3)).map(signers).sort()).toEqual([['deep'], ['own', 'next'], ['own', 'next']]);
    expect((await other.posts(1)).map(signers)).toEqual([['general']]);
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
      detail: 'callback_url: 127.0.0.1 is not on the public internet; TRIPACT_CALLBACK_HOSTS=127.0.0.1 would allow it',
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
