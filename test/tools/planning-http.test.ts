import { fastify } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, it, onTestFinished } from 'vitest';
import { addPlanRoutes } from '../../src/http/routes/plans.ts';
import { handleError } from '../../src/http/server/problem.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { call, openPlanning } from './planning-session.ts';

/** The routes on a real store; the header `x-owner` stands for the key that names an owner. */
const startHttp = async () => {
  const { db, ownerData, isStored, run } = openPlanning();
  const isSession = db.prepare('SELECT 1 FROM sessions WHERE owner = ? AND session_id = ?');
  const engine = {
    session: (owner: string, sessionId: string): never => {
      if (isSession.get(owner, sessionId) === undefined)
        throw new ServiceError('SESSION_NOT_FOUND', `There is no session "${sessionId}"`);
      return undefined as never;
    },
    openSession: async (): Promise<void> => {},
  };
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.decorateRequest('owner', 'local');
  app.addHook('onRequest', async (request) => {
    request.owner = String(request.headers['x-owner'] ?? 'local');
  });
  const parts = { engine, ownerData, isStored, now: () => call.now };
  addPlanRoutes(app, parts);
  onTestFinished(() => app.close());
  type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
  const send = async (method: Method, path: string, body?: object, owner = 'local') => {
    const url = `/v1/sessions/${path}`;
    const reply = await app.inject({ method, url, headers: { 'x-owner': owner }, ...(body && { payload: body }) });
    return { status: reply.statusCode, location: reply.headers.location, body: reply.body && reply.json() };
  };
  return { db, run, send };
};

it('a plan made over HTTP is the one that /plan and the tool show and change', async () => {
  const { run, send } = await startHttp();
  const made = await send('POST', 's1/plans', { plan_id: 'trip', title: 'Trip', steps: ['Book', 'Pack'] });
  expect(made).toMatchObject({
    status: 201,
    location: '/v1/sessions/s1/plans/trip',
    body: { plan_id: 'trip', active: true },
  });
  expect(run('mark trip 1 completed').result).toContain('1. [✓] Book');
  const { body } = await send('GET', 's1/plans/trip');
  expect(body).toEqual({
    plan_id: 'trip',
    title: 'Trip',
    active: true,
    progress: { total: 2, completed: 1, in_progress: 0, blocked: 0, not_started: 1, percent: 50 },
    steps: [
      { step: 'Book', status: 'completed', notes: null },
      { step: 'Pack', status: 'not_started', notes: null },
    ],
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  });
});

it('every form of /plan has its route', async () => {
  const { run, send } = await startHttp();
  run('create trip --steps Book Pack');
  run('create work --steps Write');
  expect((await send('POST', 's1/plans/trip/activate')).body).toMatchObject({ plan_id: 'trip', active: true });
  expect((await send('PATCH', 's1/plans/trip', { steps: ['Pack', 'Fly'] })).body.steps).toHaveLength(2);
  const marked = await send('PATCH', 's1/plans/trip/steps/1', { status: 'blocked', notes: 'fog' });
  expect(marked.body.steps[1]).toEqual({ step: 'Fly', status: 'blocked', notes: 'fog' });
  expect((await send('PATCH', 's1/plans/trip/steps/1', { notes: null })).body.steps[1]).toMatchObject({ notes: null });
  expect(await send('DELETE', 's1/plans/work')).toMatchObject({ status: 204, body: '' });
  const { plans } = (await send('GET', 's1/plans')).body;
  expect(plans).toHaveLength(1);
  expect(plans[0]).toMatchObject({ plan_id: 'trip', progress: { total: 2, blocked: 1 } });
  expect(plans[0]).not.toHaveProperty('steps');
});

it.each([
  ['GET', 's1/plans/none', undefined],
  ['PATCH', 's1/plans/trip/steps/9', { status: 'completed' }],
  ['GET', 'nowhere/plans', undefined],
] as const)('%s %s is 404', async (method, path, body) => {
  const { run, send } = await startHttp();
  run('create trip --steps Book');
  expect(await send(method, path, body)).toMatchObject({ status: 404, body: { status: 404 } });
});

it.each([
  ['POST', 's1/plans', { plan_id: 'p', steps: [] }],
  ['PATCH', 's1/plans/trip', {}],
  ['PATCH', 's1/plans/trip/steps/0', { status: 'dropped' }],
  ['GET', 'a.b/plans', undefined],
] as const)('%s %s with %j is 400 and changes nothing', async (method, path, body) => {
  const { run, send } = await startHttp();
  run('create trip --steps Book');
  const before = run('get trip');
  expect((await send(method, path, body)).status).toBe(400);
  expect(run('get trip')).toEqual(before);
  expect(run('list').result).toContain('Plans (1)');
});

it('a plan of an id that is taken is 409 and changes nothing', async () => {
  const { run, send } = await startHttp();
  run('create trip --steps Book');
  const before = run('get trip');
  expect((await send('POST', 's1/plans', { plan_id: 'trip', steps: ['a'] })).status).toBe(409);
  expect(run('get trip')).toEqual(before);
});
