import { describe, expect, inject, it } from 'vitest';
import type { Problem, SessionView } from '../../contracts/http.ts';
import type { LimitView, ServiceLimits } from '../../contracts/service-limits.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { serve } from '../support/http/local-server.ts';
import { LOCAL_RECEIVER } from '../support/service/receiver.ts';
import { answer, ask, plan, type Service, startService } from '../support/service/service.ts';

const asking = { plan: plan('wait'), thought: ask('What now?'), replan: answer('Done') };
/** A model that never answers, so that a task runs for as long as the test does. */
const silent = { plan: () => {} };

const start = (script: Parameters<typeof startService>[0], limits: Partial<ServiceLimits>) =>
  startService(script, LOCAL_RECEIVER, { file: { limits } });

const limitsOf = async (service: Service): Promise<Record<string, LimitView>> => {
  const { limits } = await service.get<{ limits: LimitView[] }>('/v1/limits');
  return Object.fromEntries(limits.map((row) => [row.name, row]));
};

const used = async (service: Service, name: string): Promise<number | null | undefined> =>
  (await limitsOf(service))[name]?.used;

const send = (service: Service, session: string, input: string, body = {}): Promise<Response> =>
  service.post(`/v1/sessions/${session}/turns`, { input, ...body }, { prefer: 'respond-async' });

/** Sends so many turns at once, each to a session of its own, and counts how they are answered. */
const sendAtOnce = async (service: Service, count: number, input: string): Promise<Record<number, number>> => {
  const replies = await Promise.all(Array.from({ length: count }, (_, i) => send(service, `s${i}`, input)));
  return Object.fromEntries(
    Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([status, of]) => [status, of?.length ?? 0]),
  );
};

const expectTooMany = async (response: Response): Promise<void> => {
  expect((await response.json()) as Problem).toMatchObject({ status: 429, type: '/problems/too-many-requests' });
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
};

it('are listed with unit and reason, and what is used of them', async () => {
  const service = await start([], { queued_turns: 7 });
  const rows = await limitsOf(service);
  expect(rows['queued_turns']).toMatchObject({ scope: 'session', unit: 'turns', limit: 7, at_limit: '429' });
  expect(rows['todos']).toMatchObject({ scope: 'owner', at_limit: 'refused' });
  expect(Object.keys(rows).length).toBeLessThanOrEqual(27);
  for (const { reason } of Object.values(rows)) expect(reason).not.toBe('');
});

describe('an owner', () => {
  it('has no more sessions than the limit, also when requests come at once', async () => {
    const service = await start(asking, { sessions: 3 });
    expect(await sendAtOnce(service, 20, '/status')).toEqual({ 202: 3, 429: 17 });
    const { sessions } = await service.get<{ sessions: { session_id: string }[] }>('/v1/sessions');
    expect(sessions).toHaveLength(3);
    await service.restart();
    await expectTooMany(await send(service, 'another', '/status'));
    expect((await send(service, sessions[0]!.session_id, '/status')).status).toBe(202);
  });

  it('has no more running tasks than the limit, and another when one has ended', async () => {
    const service = await start(silent, { running_tasks: 2 });
    expect(await sendAtOnce(service, 10, 'Run')).toEqual({ 202: 2, 429: 8 });
    const { sessions } = await service.get<{ sessions: { session_id: string }[] }>('/v1/sessions');
    await service.say(sessions[0]!.session_id, '/cancel');
    expect((await send(service, 's99', 'Run')).status).toBe(202);
  });

  it('has no more unfinished turns than the limit, over all sessions and across a restart', async () => {
    const service = await start(silent, { unfinished_turns: 3 });
    for (const session of ['s1', 's1', 's2']) expect((await send(service, session, 'Run')).status).toBe(202);
    await expectTooMany(await send(service, 's3', 'Run'));
    // A stop in order waits some seconds for the model, which never answers here.
    await service.engine.drain(0);
    await service.restart();
    expect(await used(service, 'unfinished_turns')).toBe(3);
    await expectTooMany(await send(service, 's1', 'Run'));
    expect(await service.say('s2', '/cancel')).toMatchObject({ status: 'cancelled' });
    expect((await send(service, 's3', 'Run')).status).toBe(202);
  });

  it('has no more pending callbacks than the limit, and so many posts at once at most', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    let inFlight = 0;
    const { origin } = await serve((_, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      open.push(() => {
        inFlight -= 1;
        response.writeHead(204).end();
      });
    });
    const service = await start(asking, { pending_callbacks: 40 });
    const body = { callback_url: `${origin}/hook` };
    const sent = await Promise.all(Array.from({ length: 60 }, () => send(service, 's1', '/status', body)));
    expect(sent.filter(({ status }) => status === 202)).toHaveLength(40);
    expect(sent.filter(({ status }) => status === 429)).toHaveLength(20);
    expect((await send(service, 's1', '/status')).status).toBe(202);
    await expect
      .poll(async () => {
        for (const end of open.splice(0)) end();
        return used(service, 'pending_callbacks');
      })
      .toBe(0);
    expect(most).toBe(16);
  });

  it('sends no more requests a second than the limit', async () => {
    const service = await start([], { requests_per_second: 5 });
    const replies = await Promise.all(Array.from({ length: 40 }, () => fetch(`${service.url}/v1/sessions`)));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    await expectTooMany(replies.find(({ status }) => status === 429)!);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it('has no more requests that wait than the limit, and others without waiting', async () => {
    const service = await start(silent, { waiting_requests: 2 });
    const disconnected = new AbortController();
    const wait = (session: string): Promise<unknown> =>
      fetch(`${service.url}/v1/sessions/${session}/turns`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"input":"Run"}',
        signal: disconnected.signal,
      }).catch(() => null);
    const waiting = [wait('s1'), wait('s2')];
    await expect.poll(() => used(service, 'waiting_requests')).toBe(2);
    await expectTooMany(await service.post('/v1/sessions/s3/turns', { input: 'Run' }));
    expect((await send(service, 's3', 'Run')).status).toBe(202);
    disconnected.abort();
    await Promise.all(waiting);
    await expect.poll(() => used(service, 'waiting_requests')).toBe(0);
  });

  it('opens no more event streams than the limit, and another when one is closed', async () => {
    const service = await start(asking, { event_streams: 2 });
    await service.say('s1', 'Wait');
    const follow = (signal: AbortSignal) => fetch(`${service.url}/v1/sessions/s1/events`, { signal });
    const first = new AbortController();
    const second = new AbortController();
    await Promise.all([follow(first.signal), follow(second.signal)]);
    await expectTooMany(await follow(second.signal));
    const streamed = await service.post('/v1/sessions/s1/turns', { input: '/status' }, { accept: 'text/event-stream' });
    await expectTooMany(streamed);
    first.abort();
    await expect.poll(() => used(service, 'event_streams')).toBe(1);
    expect((await follow(second.signal)).status).toBe(200);
    second.abort();
  });
});

describe('a session', () => {
  it('queues no more turns than the limit, also at once, and still takes a command and a cancel', async () => {
    const service = await start(silent, { queued_turns: 3 });
    await send(service, 's1', 'Run');
    const sent = await Promise.all(Array.from({ length: 20 }, (_, i) => send(service, 's1', `Wait ${i}`)));
    expect(sent.filter(({ status }) => status === 202)).toHaveLength(3);
    await expectTooMany(sent.find(({ status }) => status !== 202)!);
    expect((await service.get<SessionView>('/v1/sessions/s1')).queue).toHaveLength(3);
    expect(await service.say('s1', '/status')).toMatchObject({ status: 'ran' });
    expect(await service.say('s1', '/cancel')).toMatchObject({ status: 'cancelled' });
  });

  it('has no more turns than the limit', async () => {
    const service = await start(asking, { session_turns: 3 });
    for (let i = 0; i < 3; i += 1) await service.say('s1', '/status');
    await service.restart();
    await expectTooMany(await send(service, 's1', '/status'));
    expect(await service.say('s2', '/status')).toMatchObject({ status: 'ran' });
  });

  it('whose trace is full accepts no task and no edit of a plan, but still a cancel', async () => {
    const service = await start([plan('wait', 'rest'), ask('What now?')], { session_entries: 4 });
    const { task_id } = await service.say('s1', 'Wait');
    const edit = (step: string) =>
      fetch(`${service.url}/v1/tasks/${task_id}/plan`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ edits: [{ kind: 'add', step }] }),
      });
    expect((await edit('more')).status).toBe(200);
    await expectTooMany(await edit('too much'));
    expect(await service.trace('s1')).toHaveLength(4);
    expect(await service.say('s1', '/cancel')).toMatchObject({ status: 'cancelled' });
    await expectTooMany(await send(service, 's1', 'Wait again'));
  });
});

it('a fork begins with no longer history than the limit', async () => {
  const service = await start(asking, { fork_entries: 1 });
  const { task_id } = await service.say('s1', 'Wait');
  expect((await service.post(`/v1/tasks/${task_id}/fork`, {})).status).toBe(413);
});

it('a turn that takes longer than a request may wait is 202, with where to ask', async () => {
  const service = await start(silent, { waiting_seconds: 1 });
  const response = await service.post('/v1/sessions/s1/turns', { input: 'Run' });
  const turn = (await response.json()) as TurnView;
  expect([response.status, response.headers.get('location')]).toEqual([202, `/v1/turns/${turn.id}`]);
  expect(turn).toMatchObject({ status: 'running', finished_at: null });
});

it.skipIf(inject('postgres') !== undefined)(
  'the database grows no further than the limit: 503, and what is there can be read',
  async () => {
    const service = await start(asking, { database_bytes: 600_000 });
    let status = 202;
    for (let i = 0; i < 400 && status === 202; i += 1)
      ({ status } = await send(service, `s${i}`, `/todo add ${'x'.repeat(3_000)}`));
    expect(status).toBe(503);
    expect(await used(service, 'database_bytes')).toBeLessThanOrEqual(600_000);
    expect((await fetch(`${service.url}/v1/sessions`)).status).toBe(200);
  },
);
