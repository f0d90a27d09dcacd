import { describe, expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { delayed } from '../support/anthropic/answers.ts';
import { shutGate } from '../support/service/gate.ts';
import { answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const steps = ['Fly to {city}', 'Write {{city}} on the bag', 'Come back on {day}'];

const start = async (script: Parameters<typeof startService>[0]): Promise<Service> => {
  const service = await startService(script);
  await service.post('/v1/sessions/s1/plans', { plan_id: 'trip', title: 'A trip to {city}', steps });
  return service;
};

interface Refusal {
  type?: string;
  detail?: string;
  errors?: { path: string }[];
}

const run = async (service: Service, body: object, name = 'trip', session = 's1') => {
  const response = await service.post(`/v1/sessions/${session}/plans/${name}/run`, body);
  return { status: response.status, body: (await response.json()) as TurnView & Refusal };
};

/** Waits until a turn has its reply. */
const ended = async ({ url }: Service, { id }: Pick<TurnView, 'id'>): Promise<string> =>
  (await fetch(`${url}/v1/turns/${id}/events`)).text();

const filled = ['Fly to New York', 'Write {city} on the bag', 'Come back on 3'];

/** All three items in one call of the model: they are done at once. */
const carriedOut = [done(), answer('Been there')];

describe('A named plan that runs', () => {
  it('by /plan run is the task’s plan, filled from the values and the metadata, and stays as it is', async () => {
    const service = await start(carriedOut);
    const metadata = { city: 'Rome', day: 3 };
    const turn = await service.say('s1', '/plan run trip city="New York"', { metadata });
    expect(turn).toMatchObject({ kind: 'task', status: 'answered', output: 'Been there' });
    expect(turn.task).toMatchObject({ goal: 'A trip to New York', plan: filled.map((step) => ({ step })) });
    expect(service.contracts()).toEqual(['thought', 'replan']);
    expect(await service.get('/v1/sessions/s1/plans/trip')).toMatchObject({
      progress: { completed: 0 },
      steps: steps.map((step) => ({ step })),
    });
    const trace = await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text();
    const headers = { 'content-type': 'application/x-ndjson' };
    const replayed = await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body: trace });
    expect(await replayed.json()).toMatchObject({ ok: true });
  });

  it('by its route shows the command, takes a turn’s options, and goes on after a restart and in a fork', async () => {
    const service = await start([...carriedOut, ...carriedOut]);
    const values = { city: 'New York', day: 3 };
    const { status, body } = await run(service, { values, confirm_plan: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ input: '/plan run trip city="New York" day="3"', status: 'asking' });
    for (const step of filled) expect(body.question).toContain(step);
    await service.restart();
    const forked = await service.post(`/v1/tasks/${body.task_id}/fork`, { input: 'yes', session_id: 's2' });
    const { id } = (await forked.json()) as TurnView;
    await ended(service, { id });
    expect(await service.get(`/v1/turns/${id}`)).toMatchObject({ output: 'Been there' });
    expect(await service.say('s1', 'yes')).toMatchObject({ output: 'Been there' });
  });

  it('names each placeholder without a value before anything starts, and a value without a placeholder', async () => {
    const service = await start([]);
    const missing = await run(service, { values: { city: ' ' }, metadata: { day: ['Monday'] } });
    expect([missing.status, missing.body.errors?.map(({ path }) => path)]).toEqual([
      400,
      ['values.city', 'values.day'],
    ]);
    const unknown = await run(service, { values: { town: 'Rome' } });
    expect([unknown.status, unknown.body.detail]).toEqual([400, expect.stringContaining('no placeholder {town}')]);
    expect((await run(service, {}, 'walk')).body.type).toBe('/problems/plan-not-found');
    expect((await run(service, {}, 'trip', 's9')).body.type).toBe('/problems/session-not-found');
    expect(await service.say('s1', '/plan run trip city=Rome')).toMatchObject({
      status: 'ran',
      ok: false,
      output: 'Plan "trip" needs a value for day: /plan run trip day=…',
    });
    for (const wrong of ['/plan run', '/plan run walk', '/plan run trip Rome', '/plan run trip city="Rome'])
      expect(await service.say('s1', wrong)).toMatchObject({ status: 'ran', ok: false, task_id: null });
    expect(await service.trace('s1')).toEqual([]);
  });

  it('waits for the task that runs, and is refused while one waits for an answer', async () => {
    const gate = shutGate();
    const script = [plan('Dig'), delayed(gate.opened, ask('Where?')), answer('There'), ...carriedOut];
    const service = await start(script);
    const headers = { prefer: 'respond-async' };
    const sent = await service.post('/v1/sessions/s1/turns', { input: 'Dig' }, headers);
    const first = (await sent.json()) as TurnView;
    const body = { values: { city: 'New York', day: 3 } };
    const queued = await (await service.post('/v1/sessions/s1/plans/trip/run', body, headers)).json();
    expect(queued).toMatchObject({ status: 'queued' });
    gate.open();
    await ended(service, first);
    expect(await service.get(`/v1/turns/${first.id}`)).toMatchObject({ status: 'asking' });
    expect(await run(service, body)).toMatchObject({ status: 409, body: { type: '/problems/event-not-accepted' } });
    expect(await service.say('s1', '/plan run trip city=Rome day=1')).toMatchObject({ status: 'ran', ok: false });
    await service.say('s1', 'Here');
    const { id } = queued as TurnView;
    await ended(service, { id });
    expect(await service.get(`/v1/turns/${id}`)).toMatchObject({
      output: 'Been there',
      task: { goal: 'A trip to New York' },
    });
  });

  it('is refused and carried out in Chinese, and a value chooses no executor', async () => {
    const service = await start([done(), answer('好了')]);
    await service.say('s1', '/plan create 出差 --title 去{城市} --steps {做什么}');
    expect(await service.say('s1', '/plan run 出差 城市=北京')).toMatchObject({
      output: expect.stringContaining('计划“出差”缺少以下值：做什么'),
    });
    const turn = await service.say('s1', '/plan run 出差 城市=北京 做什么=“[CODE] 写页面”');
    expect(turn.task).toMatchObject({ goal: '去北京', plan: [{ step: '[CODE] 写页面' }] });
    const opened = (await service.trace('s1'))[0]?.event;
    expect(opened).toMatchObject({ plan: [{ executor: 'default' }] });
  });
});
