import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { delayed } from '../support/anthropic/answers.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';
import { shutGate } from '../support/service/gate.ts';
import { act, answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const remove = (service: Service, session: string): Promise<Response> =>
  fetch(`${service.url}/v1/sessions/${session}`, { method: 'DELETE' });

const statusOf = async (service: Service, path: string): Promise<number> => (await fetch(service.url + path)).status;

const milk = [plan('Add milk'), act('todo', 'add milk'), done(), answer('Milk is on the list')];

describe('a session that is removed', () => {
  it('goes with its history, its turns, its tasks, its named plans and its folder, and its name is free', async () => {
    const dataDir = freshDataDir();
    const service = await startService([...milk, ...milk], { TRIPACT_DATA_DIR: dataDir });
    const folder = join(dataDir, 'workspace', '.sessions', 's1');
    const turn = await service.say('s1', 'Put milk on the list');
    await service.post('/v1/sessions/s1/plans', { plan_id: 'trip', steps: ['Pack'] });
    expect(existsSync(join(folder, 'plan.json'))).toBe(true);
    const removed = await remove(service, 's1');
    expect([removed.status, await removed.text()]).toEqual([204, '']);
    expect(existsSync(folder)).toBe(false);
    for (const path of ['', '/turns', '/tasks', '/plans', '/trace', '/events'])
      expect([path, await statusOf(service, `/v1/sessions/s1${path}`)]).toEqual([path, 404]);
    expect(await statusOf(service, `/v1/turns/${turn.id}`)).toBe(404);
    expect(await statusOf(service, `/v1/tasks/${turn.task_id}`)).toBe(404);
    expect((await remove(service, 's1')).status).toBe(404);
    // The owner's own data stays.
    expect((await service.say('s2', '/todo list')).output).toContain('milk');
    await service.say('s1', 'Put milk on the list');
    expect((await service.trace('s1')).map(({ seq }) => seq)[0]).toBe(1);
    expect(await service.get('/v1/sessions/s1/plans')).toEqual({ plans: [] });
    await service.restart();
    expect(await service.get('/v1/sessions/s1/turns')).toMatchObject({ turns: [{ session_id: 's1' }], next: null });
  });

  it('is kept while its task runs, and not where that waits for an answer', async () => {
    const gate = shutGate();
    const service = await startService([delayed(gate.opened, plan('Book')), ask('Where?')]);
    await service.post('/v1/sessions/s1/turns', { input: 'Book a table' }, { prefer: 'respond-async' });
    const refused = await remove(service, 's1');
    expect([refused.status, await refused.json()]).toMatchObject([409, { type: '/problems/task-running' }]);
    gate.open();
    await expect.poll(async () => (await service.get<{ tasks: unknown[] }>('/v1/tasks')).tasks.length).toBe(1);
    expect((await remove(service, 's1')).status).toBe(204);
  });

  it('ends the event streams of those who follow it', async () => {
    const service = await startService([plan('Book'), ask('Where?')]);
    await service.say('s1', 'Book a table');
    const stream = await fetch(`${service.url}/v1/sessions/s1/events`);
    let said = '';
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
      const isAsked = said.includes('Where?');
      said += piece;
      if (!isAsked && said.includes('Where?')) expect((await remove(service, 's1')).status).toBe(204);
    }
    expect(said).toContain('Where?');
    expect(await service.get('/v1/tasks')).toEqual({ tasks: [], next: null });
  });
});

describe('a named plan as the first thing in a session', () => {
  const trip = { plan_id: 'trip', steps: ['Pack'] };

  it('makes the session, over HTTP as by command', async () => {
    const service = await startService([]);
    const made = await service.post('/v1/sessions/s1/plans', trip);
    expect([made.status, made.headers.get('location')]).toEqual([201, '/v1/sessions/s1/plans/trip']);
    expect(await made.json()).toMatchObject({ plan_id: 'trip', active: true });
    expect((await service.say('s1', '/plan list')).output).toContain('trip');
    expect((await service.say('s2', '/plan create trip --steps Pack')).output).toContain('trip');
    await service.restart();
    expect(await service.get('/v1/sessions/s1/plans')).toMatchObject({ plans: [{ plan_id: 'trip' }] });
    expect(await service.get('/v1/sessions')).toMatchObject({ sessions: [{}, {}] });
  });
});
