import { expect, it } from 'vitest';
import { apiError } from '../support/anthropic/answers.ts';
import { answer, done, plan, startService } from '../support/service/service.ts';

it('asks a server that knows no marks without them, at once, and shows it none again', async () => {
  const refuses = apiError(400, {
    type: 'invalid_request_error',
    text: 'system.0.cache_control: Extra inputs are not permitted',
  });
  const service = await startService([refuses, plan(), done(), answer('ok')]);
  expect((await service.say('s1', 'Hello')).output).toBe('ok');
  expect(service.model.requests.map(({ sent }) => typeof sent.system)).toEqual([
    'object',
    'string',
    'string',
    'string',
  ]);
  expect(service.model.requests.every(({ body }) => body.tools !== undefined)).toBe(true);
});
