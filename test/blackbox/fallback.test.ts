import { expect, it } from 'vitest';
import { answer, done, plan, startService } from '../support/service/service.ts';

it('a task is bounded by its cost, and goes on when its user says so', async () => {
  const prices = { currency: 'EUR', models: { m: { input: 1, output: 1 } } };
  const env = { TRIPACT_MODEL: 'anthropic:m', TRIPACT_MAX_TASK_COST: '0.00003' };
  await expect(startService([], env)).rejects.toThrow('TRIPACT_MAX_TASK_COST="0.00003" needs "prices"');
  const service = await startService([plan('a'), done()], env, { file: { prices } });
  const paused = await service.say('s1', 'Hello');
  expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'budget_exhausted', cost_limit: '0.00003' } });
  expect(paused.output).toContain('The task cost 0.00003 EUR and may cost 0.00003.');
  service.model.answer([answer('ok')]);
  expect(await service.say('s1', 'continue')).toMatchObject({ output: 'ok', task: { cost_limit: '0.00006' } });
});
