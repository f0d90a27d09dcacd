import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { CallbackView } from '../../contracts/callback.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const asking = [plan('book a room'), ask('Which day?')];

type Post = Awaited<ReturnType<Awaited<ReturnType<typeof startReceiver>>['posts']>>[number];

const typesOf = (posts: Post[]): string[] => posts.map(({ body }) => body.type).sort();

const saying = (posts: Post[], type: string): Post => posts.find(({ body }) => body.type === type)!;

const list = async (service: Service, query = '', headers: Record<string, string> = {}): Promise<CallbackView[]> => {
  const response = await fetch(`${service.url}/v1/callbacks${query}`, { headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { callbacks: CallbackView[] }).callbacks;
};

it('says what happens in every session, signed so that the library of Standard Webhooks takes it', async () => {
  const receiver = await startReceiver();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const service = await startService([...asking, replanned('book it'), done('ok'), answer('Booked')], {
    ...{ ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url, TRIPACT_WEBHOOK_SECRET: secret },
  });
  const turn = await service.say('s1', 'Book a room');
  const asked = await receiver.posts(2);
  expect(typesOf(asked)).toEqual(['question.asked', 'turn.finished']);
  const question = saying(asked, 'question.asked');
  expect(new Webhook(secret).verify(question.text, question.headers)).toEqual({
    type: 'question.asked',
    timestamp: turn.finished_at,
    owner: 'local',
    data: { session_id: 's1', task_id: turn.task_id, goal: 'Book a room', question: 'Which day?', options: null },
  });
  expect(() => new Webhook(secret).verify(question.text.replace('day', 'hour'), question.headers)).toThrow();
  const shown = await service.get<TurnView>(`/v1/turns/${turn.id}`);
  expect(saying(asked, 'turn.finished').body.data).toEqual(shown);
  await service.say('s1', 'Tuesday');
  const [answered] = (await receiver.posts(3)).slice(2);
  expect(answered?.body).toMatchObject({ type: 'turn.finished', data: { status: 'answered', output: 'Booked' } });
  expect(new Set((await receiver.posts(3)).map(({ id }) => id)).size).toBe(3);
});

it('tells of an approval with the whole action, and of a pause in its three parts', async () => {
  const receiver = await startReceiver();
  const service = await startService(
    [plan('add it'), act('todo', 'add milk'), replanned('again'), act('todo', 'list')],
    {
      ...{ ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url, TRIPACT_APPROVE: 'todo', TRIPACT_MAX_STEPS: '1' },
    },
  );
  const { task_id } = await service.say('s1', 'Add milk');
  const posts = await receiver.posts(2);
  expect(saying(posts, 'approval.requested').body.data).toMatchObject({
    ...{ session_id: 's1', task_id, goal: 'Add milk' },
    approval: { tool: 'todo', input: 'add milk' },
    question: expect.stringContaining('add milk'),
  });
  const { output } = await service.say('s1', 'yes');
  const paused = saying((await receiver.posts(4)).slice(2), 'task.paused').body.data;
  expect(paused).toEqual({ session_id: 's1', task_id, goal: 'Add milk', pause_reason: 'step_limit', output });
});

it('tells of a reminder when it is due', async () => {
  const receiver = await startReceiver();
  let now = Date.parse('2026-01-05T09:00:00Z');
  const service = await startService([], { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url }, { now: () => now });
  await service.say('s1', '/todo add pay rent --due "2026-01-05 09:20" --remind "2026-01-05 09:10"', {
    timezone: 'UTC',
  });
  now += 600_000;
  await service.restart();
  const posts = await receiver.posts(2);
  expect(saying(posts, 'reminder.due').body).toMatchObject({
    owner: 'local',
    data: { session_id: 's1', text: 'pay rent' },
  });
});

it('gives up what its receiver does not want, and posts it again under the same id when somebody says so', async () => {
  const refusal = Promise.withResolvers<void>();
  const receiver = await startReceiver([(response) => void refusal.promise.then(() => response.writeHead(410).end())]);
  const service = await startService([], { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url });
  const { id: turn_id } = await service.say('s1', '/status');
  refusal.resolve();
  const [first] = await receiver.posts(1);
  await expect
    .poll(() => list(service, '?state=given_up'))
    .toMatchObject([
      {
        id: first?.id,
        type: 'turn.finished',
        target: 'webhook',
        url: null,
        turn_id,
        attempts: 1,
        last_error: 'HTTP 410',
      },
    ]);
  expect(await list(service, '?state=pending')).toEqual([]);
  await service.restart();
  const again = await service.post(`/v1/callbacks/${first?.id}/resend`, {});
  expect(again.status).toBe(202);
  expect(await again.json()).toMatchObject({ id: first?.id, state: 'pending', attempts: 0 });
  const [, second] = await receiver.posts(2);
  expect(second).toMatchObject({ id: first?.id, text: first?.text });
  await expect.poll(() => list(service, '?state=delivered')).toMatchObject([{ id: first?.id, due_at: null }]);
});

it('shows callers with keys their own callbacks alone, and operators those of the webhook too', async () => {
  const receiver = await startReceiver();
  const [ada, ops] = ['a'.repeat(16), 'o'.repeat(16)];
  const service = await startService([], {
    ...{ TRIPACT_API_KEYS: `ada:${ada},ops:${ops}`, TRIPACT_OPERATORS: 'ops' },
    ...{ ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url },
  });
  const headers = { authorization: `Bearer ${ada}` };
  const sent = await service.post('/v1/sessions/s1/turns', { input: '/status', callback_url: receiver.url }, headers);
  const { id } = (await sent.json()) as TurnView;
  await receiver.posts(2);
  expect(await list(service, '', headers)).toMatchObject([{ id, target: 'callback_url', owner: 'ada' }]);
  const ofOps = await list(service, '', { authorization: `Bearer ${ops}` });
  expect(ofOps).toMatchObject([{ target: 'webhook', owner: 'ada', turn_id: id }]);
  const refused = await service.post(`/v1/callbacks/${ofOps[0]?.id}/resend`, {}, headers);
  expect(await refused.json()).toMatchObject({ status: 404, type: '/problems/callback-not-found' });
});

it.each([
  ['without keys', {}],
  ['with keys', { TRIPACT_API_KEYS: `ada:${'a'.repeat(16)}` }],
])('%s, may be a private address only where it is named, and the start says so in one line', async (_, keys) => {
  const env = { ...keys, TRIPACT_WEBHOOK_URL: 'http://10.0.0.1/hook' };
  await expect(startService([], env)).rejects.toThrow(
    'TRIPACT_WEBHOOK_URL: 10.0.0.1 is not an address on the public internet, and TRIPACT_CALLBACK_HOSTS does not name it (as TRIPACT_CALLBACK_HOSTS=10.0.0.1 does).',
  );
  await startService([], { ...env, TRIPACT_CALLBACK_HOSTS: '10.0.0.0/8' });
});

it('lists a page at a time, newest first', async () => {
  const receiver = await startReceiver();
  const service = await startService([], { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url });
  for (let i = 0; i < 5; i += 1) await service.say('s1', '/status');
  const all = await list(service);
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await service.get<{ callbacks: CallbackView[]; next: string | null }>(
      `/v1/callbacks?limit=2${cursor}`,
    );
    ids.push(...page.callbacks.map(({ id }) => id));
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  expect(ids).toEqual(all.map(({ id }) => id));
  expect(ids).toHaveLength(5);
});
