import { expect, it } from 'vitest';
import type { Problem, SessionView } from '../../contracts/http.ts';
import type { LimitView, ServiceLimits } from '../../contracts/service-limits.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { answer, ask, plan, startService } from '../support/service/service.ts';

const asking = { plan: plan('wait'), thought: ask('What now?'), replan: answer('Done') };
/** A model that never answers, so that a task runs for as long as the test does. */
const silent = () => ({ plan: () => {} });

const start = (script: Parameters<typeof startService>[0], limits: Partial<ServiceLimits>) =>
  startService(script, {}, { file: { limits } });

type Service = Awaited<ReturnType<typeof start>>;

const send = (service: Service, session: string, input: string, body = {}): Promise<Response> =>
  service.post(`/v1/sessions/${session}/turns`, { input, ...body }, { prefer: 'respond-async' });

const limitsOf = async (service: Service): Promise<Record<string, LimitView>> => {
  const { limits } = await service.get<{ limits: LimitView[] }>('/v1/limits');
  return Object.fromEntries(limits.map((row) => [row.name, row]));
};

const expectTooMany = async (response: Response): Promise<void> => {
  const problem = (await response.json()) as Problem;
  expect(problem).toMatchObject({ status: 429, type: '/problems/too-many-requests' });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
};

it('lists what may grow with its limit, unit and reason, and what is used of it', async () => {
  const service = await start([], { queued_turns: 7 });
  const rows = await limitsOf(service);
  expect(rows['queued_turns']).toMatchObject({ scope: 'session', unit: 'turns', limit: 7, at_limit: '429' });
  expect(rows['todos']).toMatchObject({ scope: 'owner', at_limit: 'refused' });
  expect(Object.keys(rows).length).toBeLessThanOrEqual(25);
  for (const { reason } of Object.values(rows)) expect(reason).not.toBe('');
});

it('refuses the turn that is one too many in the queue, and still takes a cancel', async () => {
  const service = await start(silent(), { queued_turns: 3 });
  const first = await send(service, 's1', 'Run');
  expect(first.status).toBe(202);
  for (let i = 0; i < 3; i += 1) expect((await send(service, 's1', `Wait ${i}`)).status).toBe(202);
  await expectTooMany(await send(service, 's1', 'One too many'));
  const { queue } = await service.get<SessionView>('/v1/sessions/s1');
  expect(queue).toHaveLength(3);
  expect(await service.say('s1', '/status')).toMatchObject({ status: 'ran' });
  expect(await service.say('s1', '/cancel')).toMatchObject({ status: 'cancelled' });
});

it('takes no more than the limit of turns that come at once', async () => {
  const service = await start(silent(), { queued_turns: 5 });
  await send(service, 's1', 'Run');
  const sent = await Promise.all(Array.from({ length: 40 }, (_, i) => send(service, 's1', `Wait ${i}`)));
  expect(sent.map(({ status }) => status).filter((status) => status === 202)).toHaveLength(5);
});

it('refuses requests beyond so many a second, and says when to come again', async () => {
  const service = await start([], { requests_per_second: 5 });
  const replies = await Promise.all(Array.from({ length: 40 }, () => fetch(`${service.url}/v1/sessions`)));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  await expectTooMany(refused[0]!);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

it('keeps no more requests waiting than the limit, and takes others without waiting', async () => {
  const service = await start(silent(), { waiting_requests: 2 });
  const disconnected = new AbortController();
  const wait = (session: string): Promise<unknown> =>
    fetch(`${service.url}/v1/sessions/${session}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"Run"}',
      signal: disconnected.signal,
    }).catch(() => null);
  const waiting = [wait('s1'), wait('s2')];
  await expect.poll(async () => (await limitsOf(service))['waiting_requests']?.used).toBe(2);
  await expectTooMany(await service.post('/v1/sessions/s3/turns', { input: 'Run' }));
  expect((await send(service, 's3', 'Run')).status).toBe(202);
  disconnected.abort();
  await Promise.all(waiting);
  await expect.poll(async () => (await limitsOf(service))['waiting_requests']?.used).toBe(0);
});

it('answers 202 with where to ask when a turn takes longer than a request may wait', async () => {
  const service = await start(silent(), { waiting_seconds: 1 });
  const response = await service.post('/v1/sessions/s1/turns', { input: 'Run' });
  const turn = (await response.json()) as TurnView;
  expect(response.status).toBe(202);
  expect(response.headers.get('location')).toBe(`/v1/turns/${turn.id}`);
  expect(turn).toMatchObject({ status: 'running', finished_at: null });
});

it('opens no more event streams than the limit, and another when one is closed', async () => {
  const service = await start(asking, { event_streams: 2 });
  await service.say('s1', 'Wait');
  const follow = (signal: AbortSignal) => fetch(`${service.url}/v1/sessions/s1/events`, { signal });
  const first = new AbortController();
  const second = new AbortController();
  await Promise.all([follow(first.signal), follow(second.signal)]);
  await expectTooMany(await follow(second.signal));
  await expectTooMany(
    await service.post('/v1/sessions/s1/turns', { input: '/status' }, { accept: 'text/event-stream' }),
  );
  first.abort();
  await expect.poll(async () => (await limitsOf(service))['event_streams']?.used).toBe(1);
  expect((await follow(second.signal)).status).toBe(200);
  second.abort();
});
