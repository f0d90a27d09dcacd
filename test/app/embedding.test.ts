import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createTripact, type Tripact } from '../../src/tripact.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';

const open = async (dataDir: string): Promise<Tripact> => {
  const tripact = await createTripact({
    config: { settings: { TRIPACT_MODEL: 'offline', TRIPACT_DATA_DIR: dataDir, TRIPACT_LOG_LEVEL: 'fatal' } },
    env: {},
  });
  onTestFinished(() => tripact.close());
  return tripact;
};

it('a program embeds Tripact, and its question is answered by the next process that opens the folder', async () => {
  const folder = temporaryFolder();
  const first = await open(folder);
  const asked = await first.turn({ session: 's1', input: 'Schedule a meeting with Anna' });
  expect(asked).toMatchObject({ status: 'asking' });
  await first.close();

  const second = await open(folder);
  expect(await second.answer({ session: 's1', input: 'tomorrow at 3pm' })).toMatchObject({
    status: 'answered',
    task_id: asked.task_id,
  });
  await expect(second.answer({ session: 's1', input: 'at 4pm' })).rejects.toMatchObject({ code: 'QUESTION_NOT_OPEN' });
  await expect(second.turn({ session: 's 1', input: 'x' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  for await (const { seq, event } of second.events({ session: 's1' })) {
    expect([seq, event.type]).toEqual([1, 'task.opened']);
    break;
  }
});

it('the API is served below a prefix of a Fastify application', async () => {
  const tripact = await open(temporaryFolder());
  const app = Fastify();
  onTestFinished(() => app.close());
  app.get('/', async () => 'mine');
  await app.register(tripact.routes, { prefix: '/agent' });
  const url = await app.listen({ port: 0 });
  const post = (prefer: Record<string, string>): Promise<Response> =>
    fetch(`${url}/agent/v1/sessions/s1/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...prefer },
      body: JSON.stringify({ input: 'Add milk to my todos' }),
    });

  expect(await (await post({})).json()).toMatchObject({ status: 'answered', output: expect.stringContaining('milk') });
  const location = (await post({ prefer: 'respond-async' })).headers.get('location');
  expect(location).toMatch(/^\/agent\/v1\/turns\/turn_/);
  expect((await fetch(`${url}${location}`)).status).toBe(200);
  expect((await fetch(`${url}/agent/v1/none`)).status).toBe(404);
  expect(await (await fetch(url)).text()).toBe('mine');
});

it('without keys, callers from other machines are refused where it is embedded, whatever Host they write', async () => {
  const tripact = await open(temporaryFolder());
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(tripact.routes, { prefix: '/agent' });
  const { statusCode } = await app.inject({
    url: '/agent/v1/sessions',
    headers: { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
    remoteAddress: '10.0.0.7',
  });
  expect(statusCode).toBe(403);
});
