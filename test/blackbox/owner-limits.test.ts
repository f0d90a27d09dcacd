import { expect, it } from 'vitest';
import type { Problem } from '../../contracts/http.ts';
import type { LimitView } from '../../contracts/limit-views.ts';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import { serve } from '../support/http/local-server.ts';
import { LOCAL_RECEIVER } from '../support/service/receiver.ts';
import { act, answer, ask, done, plan, startService } from '../support/service/service.ts';

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

it.each(['running_bytes', 'running_bytes_in_all'] as const)(
  'begins no task while those that run hold as much in memory as %s allows, and counts the same after a restart',
  async (name) => {
    const service = await start(
      { plan: plan(...Array(12).fill('一'.repeat(3_000))), thought: () => {} },
      { [name]: 100_000 },
    );
    expect((await send(service, 's1', 'Run')).status).toBe(202);
    // A plan is stored as it was answered, and held as many bytes.
    await expect.poll(() => used(service, name)).toBeGreaterThan(12 * 9_000);
    const held = await used(service, name);
    await expectTooMany(await send(service, 's2', 'Run'));
    expect((await send(service, 's2', '/status')).status).toBe(202);
    await service.engine.drain(0);
    await service.restart();
    await expect.poll(() => used(service, name)).toBe(held);
    await expectTooMany(await send(service, 's2', 'Run'));
    await service.say('s1', '/cancel');
    expect(await used(service, name)).toBe(0);
    expect((await send(service, 's2', 'Run')).status).toBe(202);
  },
);

it('pauses a task that has grown far beyond what may be held in memory, until others have ended', async () => {
  const service = await start(
    {
      plan: [plan(...Array(5).fill('一'.repeat(3_000))), plan('list')],
      thought: [() => {}, act('todo', `list ${'x'.repeat(20_000)}`), done()],
      replan: answer('Listed'),
    },
    { running_bytes: 60_000 },
  );
  await send(service, 's1', 'Run');
  await expect.poll(() => used(service, 'running_bytes')).toBeGreaterThan(45_000);
  const paused = await service.say('s2', 'List');
  expect(paused).toMatchObject({
    status: 'paused',
    output: expect.stringContaining('hold more in memory than they may'),
  });
  await service.say('s1', '/cancel');
  expect(await service.say('s2', 'continue')).toMatchObject({ status: 'answered', output: 'Listed' });
});

it('keeps nothing counted as running of tasks that wait for their user', async () => {
  const service = await start({ ...asking, plan: plan('x'.repeat(3_000)) }, {});
  await service.say('s1', 'Wait');
  expect(await used(service, 'running_bytes')).toBe(0);
});

it('makes no more forks than the limit, and none of a history of more bytes than one may begin with', async () => {
  const service = await start(asking, { forks: 2 });
  const { task_id } = await service.say('s1', 'Wait');
  const fork = () => service.post(`/v1/tasks/${task_id}/fork`, {});
  expect(statuses(await Promise.all([fork(), fork(), fork(), fork()]))).toEqual({ 201: 2, 429: 2 });
  expect(await used(service, 'forks')).toBe(2);

  const small = await start(asking, { fork_bytes: 100 });
  const task = ((await small.say('s1', 'Wait')) as { task: TaskView }).task.id;
  expect((await small.post(`/v1/tasks/${task}/fork`, {})).status).toBe(413);
});

it('holds no more input of turns that wait or run than an owner may have, over all sessions and across a restart', async () => {
  const service = await start({ plan: () => {} }, { unfinished_bytes: 1_000 });
  const text = 'x'.repeat(200);
  for (const session of ['s1', 's1', 's1', 's2', 's2']) expect((await send(service, session, text)).status).toBe(202);
  await expectTooMany(await send(service, 's3', text));
  expect(await used(service, 'unfinished_bytes')).toBe(1_000);
  // A stop in order waits some seconds for the model, which never answers here.
  await service.engine.drain(0);
  await service.restart();
  expect(await used(service, 'unfinished_bytes')).toBe(1_000);
  await expectTooMany(await send(service, 's1', text));
  expect(await service.say('s2', '/cancel')).toMatchObject({ status: 'cancelled' });
  await expect.poll(() => used(service, 'unfinished_bytes')).toBe(800);
  expect((await send(service, 's3', text)).status).toBe(202);
});

it('holds no more input than all owners may have, but of one who has less than 1 MiB', async () => {
  const service = await start({ plan: () => {} }, { unfinished_bytes_in_all: 100_000 });
  const text = 'x'.repeat(32_000);
  for (let i = 0; i < 32; i += 1) expect((await send(service, `s${i % 2}`, text)).status).toBe(202);
  await expectTooMany(await send(service, 's3', text));
  expect(await used(service, 'unfinished_bytes_in_all')).toBe(1_024_000);
  expect(await service.say('s1', '/cancel')).toMatchObject({ status: 'cancelled' });
  await expect.poll(() => used(service, 'unfinished_bytes_in_all')).toBe(992_000);
  expect((await send(service, 's3', text)).status).toBe(202);
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

it('stores no more turns and traces than the limit, while reading, removing and what runs go on', async () => {
  const script = { ...asking, thought: [ask('What now?'), done()] };
  const service = await start(script, { stored_bytes: 10_000 });
  const { task_id } = await service.say('s1', 'Wait');
  const before = await used(service, 'stored_bytes');
  expect(before).toBeGreaterThan(1_000);
  await service.restart();
  expect(await used(service, 'stored_bytes')).toBe(before);
  // What is taken in below the limit may end above it.
  expect(await service.say('s1', 'x'.repeat(12_000))).toMatchObject({ status: 'answered' });
  const full = await used(service, 'stored_bytes');
  expect(full).toBeGreaterThan(10_000);
  const waiting = await service.get<TaskView>(`/v1/tasks/${task_id}`);
  expect(waiting.state).toBe('done');
  await expectTooMany(await send(service, 's1', '/tool files list'));
  await expectTooMany(await send(service, 's2', 'Another'));
  await expectTooMany(await service.post(`/v1/tasks/${task_id}/fork`, { at: 2 }));
  expect((await service.trace('s1')).length).toBe(5);
  await service.restart();
  expect(await used(service, 'stored_bytes')).toBe(full);
  expect((await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' })).status).toBe(204);
  expect(await used(service, 'stored_bytes')).toBe(0);
  expect((await send(service, 's2', '/status')).status).toBe(202);
});

it('lets its user out at the limits of what is stored: a cancel by words and commands work, and what they store is bounded', async () => {
  const service = await start(asking, { stored_bytes: 5_000, session_turns: 3 });
  for (const session of ['s1', 's2']) await service.say(session, 'Wait');
  expect(await service.say('s1', `/help ${'x'.repeat(5_000)}`)).toMatchObject({ status: 'ran' });
  await expectTooMany(await send(service, 's3', 'Another'));
  await expectTooMany(await send(service, 's1', 'It is blue'));
  expect(await service.say('s1', '/status')).toMatchObject({ status: 'ran' });
  // Now the session is as long as one may be, too.
  await expectTooMany(await send(service, 's1', '/status'));
  expect(await service.say('s1', 'cancel task')).toMatchObject({ status: 'cancelled' });
  await expectTooMany(await send(service, 's1', 'cancel task'));
  expect(await service.say('s2', '/cancel')).toMatchObject({ status: 'cancelled' });
  await expectTooMany(await send(service, 's2', 'Wait again'));

  const sent = Array.from({ length: 600 }, (_, i) => send(service, `c${i % 300}`, `/help ${'x'.repeat(32_000)}`));
  expect(Object.keys(statuses(await Promise.all(sent)))).toEqual(['202', '429']);
  expect(await used(service, 'stored_bytes')).toBeLessThan(5_000 + 17 * 1_024 * 1_024);
});

it('counts the rows of a fork, no more of it once it is removed, and its history once only the fork has it', async () => {
  const service = await start(
    { ...asking, thought: [act('todo', `list ${'x'.repeat(20_000)}`), ask('What now?'), ask('What now?')] },
    {},
  );
  const { task_id } = await service.say('s1', 'Wait');
  const before = await used(service, 'stored_bytes');
  const fork = await service.post(`/v1/tasks/${task_id}/fork`, { at: 2, session_id: 's2' });
  expect(fork.status).toBe(201);
  await expect.poll(() => service.get('/v1/sessions/s2')).toMatchObject({ active_task: { state: 'awaiting_user' } });
  const after = await used(service, 'stored_bytes');
  await service.restart();
  expect(await used(service, 'stored_bytes')).toBe(after);
  expect((await fetch(`${service.url}/v1/sessions/s2`, { method: 'DELETE' })).status).toBe(204);
  expect(await used(service, 'stored_bytes')).toBe(before);

  expect((await service.post(`/v1/tasks/${task_id}/fork`, { session_id: 's3' })).status).toBe(201);
  expect((await used(service, 'stored_bytes'))! - before!).toBeLessThan(45_000);
  expect((await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' })).status).toBe(204);
  const handedOn = await used(service, 'stored_bytes');
  expect(handedOn).toBeGreaterThan(60_000);
  await service.restart();
  expect(await used(service, 'stored_bytes')).toBe(handedOn);
  expect((await fetch(`${service.url}/v1/sessions/s3`, { method: 'DELETE' })).status).toBe(204);
  expect(await used(service, 'stored_bytes')).toBe(0);
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
