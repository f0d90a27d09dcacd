import { expect, it } from 'vitest';
import { startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

it('a service that has more to do than it can carry refuses with 503 and when to try again, and says that it lives', async () => {
  // Any delay of the event loop is too much here.
  const { port } = await startHttpOn(stubEngine({}), { limits: { loopDelayMsMax: Number.MIN_VALUE } });
  await expect.poll(async () => (await ask(port, '/v1/contracts')).status).toBe(503);
  const { problem, headers } = await ask(port, '/v1/contracts');
  expect(problem.type).toBe('/problems/overloaded');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(port, '/readyz')).status).toBe(503);
  expect((await ask(port, '/healthz')).status).toBe(200);
});
