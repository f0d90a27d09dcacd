import { describe, expect, it } from 'vitest';
import type { PlanFile } from '../../src/projections/plan-file.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const FILE = '/v1/sessions/s1/files/plan.json';

type Step = Partial<PlanFile['steps'][number]>;

const put = async (service: Service, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(service.url + FILE, { method: 'PUT', body: text });
  const problem = response.status === 204 ? {} : ((await response.json()) as { type: string; detail: string });
  return { status: response.status, ...problem };
};

/** The file as soon as it shows these steps. */
const shows = (service: Service, steps: unknown[]): Promise<void> =>
  expect.poll(async () => (await service.get<PlanFile>(FILE)).steps).toMatchObject(steps);

/** A task with a plan file, which asks. */
const start = async (...more: Record<string, unknown>[]) => {
  const service = await startService([
    plan('Add milk', 'Add tea', 'Add rice'),
    act('todo', 'add milk'),
    done('milk'),
    replanned({ id: '2', step: 'Add tea' }, { id: '3', step: 'Add rice' }),
    ask('Which tea?'),
    ...more,
  ]);
  const { task_id } = await service.say('s1', 'Shop');
  await shows(service, [{ id: '1', status: 'completed' }, { id: '2' }, { id: '3' }]);
  return { service, task_id, file: await service.get<PlanFile>(FILE) };
};

describe('A plan.json that is sent back', () => {
  it('edits the plan by the ids of its steps, as one event, and the file follows', async () => {
    const { service, file } = await start(replanned('Add bread'), done(), answer('Shopped'));
    const [milk, tea, rice] = file.steps as [Step, Step, Step];
    const steps = [milk, { description: 'Add bread' }, rice, { ...tea, description: 'Add green tea' }];
    expect(await put(service, { ...file, steps })).toEqual({ status: 204 });
    await shows(service, [
      { id: '1', description: 'Add milk', status: 'completed' },
      { description: 'Add bread', status: 'pending' },
      { id: '2', description: 'Add tea', status: 'failed' },
      { id: '3', description: 'Add rice' },
      { description: 'Add green tea', status: 'pending' },
    ]);
    expect(await put(service, await service.get<PlanFile>(FILE))).toEqual({ status: 204 });
    const events = (await service.trace('s1')).map(({ event }) => event);
    expect(events.filter(({ type }) => type === 'plan.edited')).toMatchObject([{ by: { via: 'http' } }]);
    expect(await service.say('s1', 'Green')).toMatchObject({ output: 'Shopped' });
    const trace = await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text();
    const headers = { 'content-type': 'application/x-ndjson' };
    const replayed = await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body: trace });
    expect(await replayed.json()).toMatchObject({ ok: true });
  });

  it('sets the status of a step', async () => {
    const { service, file } = await start();
    const steps = file.steps.map((step) => (step.id === '3' ? { ...step, status: 'completed' } : step));
    expect(await put(service, { steps })).toEqual({ status: 204 });
    await shows(service, [{ id: '1' }, { id: '2', status: 'running' }, { id: '3', status: 'completed' }]);
  });

  it('is refused where it is no plan, another task’s, or changes what has ended, and changes nothing', async () => {
    const { service, file, task_id } = await start();
    const before = await service.get(`/v1/tasks/${task_id}`);
    const [milk] = file.steps;
    const twice = [milk, milk];
    for (const wrong of ['steps', '{}', { steps: [{ id: '2' }] }, { steps: twice }, { ...file, id: 'task_1' }])
      expect(await put(service, wrong)).toMatchObject({
        status: 400,
        detail: expect.stringContaining('edits the plan'),
      });
    expect(await put(service, { steps: [{ ...milk, description: 'Add cream' }] })).toMatchObject({ status: 400 });
    expect(await service.get(`/v1/tasks/${task_id}`)).toEqual(before);
    await service.say('s1', '/cancel');
    expect(await put(service, file)).toMatchObject({ status: 409, type: '/problems/task-finished' });
  });
});
