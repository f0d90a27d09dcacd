import { expect, it } from 'vitest';
import type { Problem } from '../../contracts/http.ts';
import type { LimitView, ServiceLimits } from '../../contracts/service-limits.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import { serve } from '../support/http/local-server.ts';
import { LOCAL_RECEIVER } from '../support/service/receiver.ts';
import { answer, ask, plan, startService } from '../support/service/service.ts';

const asking = { plan: plan('wait'), thought: ask('What now?'), replan: answer('Done') };

const start = (script: Parameters<typeof startService>[0], limits: Partial<ServiceLimits>) =>
  startService(script, LOCAL_RECEIVER, { file: { limits } });

type Service = Awaited<ReturnType<typeof start>>;

const used = async (service: Service, name: string): Promise<number | null | undefined> => {
  const { limits } = await service.get<{ limits: LimitView[] }>('/v1/limits');
  return limits.find((row) => row.name === name)?.used;
};

const send = (service: Service, session: string, input: string, body = {}): Promise<Response> =>
  service.post(`/v1/sessions/${session}/turns`, { input, ...body }, { prefer: 'respond-async' });

const statuses = (replies: Response[]): Record<number, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([status, of]) => [status, of?.length ?? 0]),
  );

const expectTooMany = async (response: Response): Promise<void> => {
  expect((await response.json()) as Problem).toMatchObject({ status: 429, type: '/problems/too-many-requests' });
  expect(response.headers.get('retry-after')).not.toBeNull();
};

it('creates no more sessions than an owner may have, also when requests come at once', async () => {
  const service = await start(asking, { sessions: 3 });
  const sent = await Promise.all(Array.from({ length: 20 }, (_, i) => send(service, `s${i}`, '/status')));
  expect(statuses(sent)).toEqual({ 202: 3, 429: 17 });
  expect(await used(service, 'sessions')).toBe(3);
  const { sessions } = await service.get<{ sessions: { session_id: string }[] }>('/v1/sessions');
  expect(sessions).toHaveLength(3);
  await service.restart();
  await expectTooMany(await send(service, 'another', '/status'));
  expect((await send(service, sessions[0]!.session_id, '/status')).status).toBe(202);
});

it('runs no more tasks of an owner than the limit, and another when one has ended', async () => {
  const service = await start({ plan: () => {} }, { running_tasks: 2 });
  const sent = await Promise.all(Array.from({ length: 10 }, (_, i) => send(service, `s${i}`, 'Run')));
  expect(statuses(sent)).toEqual({ 202: 2, 429: 8 });
  expect(await used(service, 'running_tasks')).toBe(2);
  const first = (await sent.find(({ status }) => status === 202)!.json()) as TurnView;
  expect((await send(service, first.session_id, 'Wait')).status).toBe(202);
  await service.say(first.session_id, '/cancel');
  // The turn that waited has taken its place.
  await expectTooMany(await send(service, 's99', 'Run'));
  await expect.poll(() => used(service, 'running_tasks')).toBe(2);
  await service.say(first.session_id, '/cancel');
  expect((await send(service, 's99', 'Run')).status).toBe(202);
});

it('makes no fork of a longer history than one may begin with', async () => {
  const small = await start(asking, { fork_entries: 1 });
  const task = ((await small.say('s1', 'Wait')) as { task: TaskView }).task.id;
  expect((await small.post(`/v1/tasks/${task}/fork`, {})).status).toBe(413);
});

it('takes no more turns that wait or run than an owner may have, over all sessions and across a restart', async () => {
  const service = await start({ plan: () => {} }, { unfinished_turns: 3 });
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

it('takes no more turns with a callback than may be pending, and posts so many at once at most', async () => {
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
  const callback_url = `${origin}/hook`;
  const sent = await Promise.all(Array.from({ length: 60 }, () => send(service, 's1', '/status', { callback_url })));
  expect(statuses(sent)).toEqual({ 202: 40, 429: 20 });
  expect((await send(service, 's1', '/status')).status).toBe(202);
  await expect.poll(() => inFlight).toBe(16);
  await expect
    .poll(async () => {
      for (const end of open.splice(0)) end();
      return used(service, 'pending_callbacks');
    })
    .toBe(0);
  expect(most).toBe(16);
  expect((await send(service, 's1', '/status', { callback_url })).status).toBe(202);
  await expect.poll(() => open.length).toBe(1);
  open[0]!();
  await expect.poll(() => used(service, 'pending_callbacks')).toBe(0);
});

it('takes no more turns and no more tasks in a session that is as long as one may be', async () => {
  const service = await start(asking, { session_turns: 3 });
  for (let i = 0; i < 3; i += 1) await service.say('s1', '/status');
  await expectTooMany(await send(service, 's1', '/status'));
  await service.restart();
  await expectTooMany(await send(service, 's1', '/status'));
  expect(await service.say('s2', '/status')).toMatchObject({ status: 'ran' });

  const short = await start(asking, { session_entries: 2 });
  await short.say('s1', 'Wait');
  expect(await short.say('s1', '/cancel')).toMatchObject({ status: 'cancelled' });
  await expectTooMany(await send(short, 's1', 'Wait again'));
});

it('stores no more than the database may have, and says so', async () => {
  const service = await start(asking, { database_bytes: 600_000 });
  const fill = async (): Promise<number> => {
    for (let i = 0; i < 400; i += 1) {
      const { status } = await send(service, `s${i}`, `/todo add ${'x'.repeat(3_000)}`);
      if (status !== 202) return status;
    }
    return 202;
  };
  expect(await fill()).toBe(503);
  expect(await used(service, 'database_bytes')).toBeLessThanOrEqual(600_000);
  expect((await fetch(`${service.url}/v1/sessions`)).status).toBe(200);
});

it('edits no plan and writes no reminder in a session whose trace is full', async () => {
  const script = [plan('wait', 'rest'), ask('What now?')];
  const service = await start(script, { session_entries: 4 });
  const { task_id } = await service.say('s1', 'Wait');
  const edit = (step: string) =>
    fetch(`${service.url}/v1/tasks/${task_id}/plan`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ edits: [{ kind: 'add', step }] }),
    });
  const edited: number[] = [];
  for (let i = 0; i < 4; i += 1) edited.push((await edit(`step ${i}`)).status);
  expect([...new Set(edited)]).toEqual([200, 429]);
  expect((await service.trace('s1')).length).toBe(4);
});
