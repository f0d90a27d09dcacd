import { expect, it } from 'vitest';
import { ServiceError } from '../../src/lib/errors.ts';
import { startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

/** Lines of the level error, or a more severe one. */
const errorsIn = (logged: Record<string, unknown>[]): unknown[] => logged.filter(({ level }) => Number(level) >= 50);

it.each([
  ['the store', new ServiceError('STORAGE_UNAVAILABLE', 'The disk is full'), 0],
  ["the keys of the tokens' issuer", new ServiceError('ISSUER_UNAVAILABLE', 'It does not answer'), 0],
])('many requests that meet the same fault of %s write no error each', async (_, error, lines) => {
  const fail = async () => {
    throw error;
  };
  const { port, logged } = await startHttpOn(stubEngine({ session: fail }));
  for (let requests = 0; requests < 10; requests += 1) expect((await ask(port, '/v1/sessions/s1')).status).toBe(503);
  expect(errorsIn(logged())).toHaveLength(lines);
});
