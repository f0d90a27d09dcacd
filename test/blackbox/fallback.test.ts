import { expect, it } from 'vitest';
import { apiError, message } from '../support/anthropic/answers.ts';
import { answer, done, plan, startService } from '../support/service/service.ts';

it('a task is bounded by its cost, and goes on when its user says so', async () => {
  const prices = { currency: 'EUR', models: { m: { input: 1, output: 1 } } };
  const env = { TRIPACT_MODEL: 'anthropic:m', TRIPACT_MAX_TASK_COST: '0.00003' };
  await expect(startService([], env)).rejects.toThrow('TRIPACT_MAX_TASK_COST="0.00003" needs "prices"');
  const service = await startService([plan('a'), done()], env, { file: { prices } });
  const paused = await service.say('s1', 'Hello');
  expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'budget_exhausted', cost_limit: '0.00003' } });
  expect(paused.output).toContain('The task has cost 0.00003 EUR; its limit is 0.00003.');
  service.model.answer([answer('ok')]);
  expect(await service.say('s1', 'continue')).toMatchObject({ output: 'ok', task: { cost_limit: '0.00006' } });
});

it.each([
  [
    'Hello',
    "The model's provider refused the key: the operator of this service has to set a valid one.\n\n## What is done",
  ],
  ['你好', '模型服务商拒绝了密钥：需要本服务的运维人员设置有效的密钥。\n\n## '],
])('the reply to "%s" begins with the key where the provider refuses it', async (input, start) => {
  const service = await startService([apiError(401, { text: 'invalid x-api-key' })]);
  const paused = await service.say('s1', input);
  expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'model_unavailable' } });
  expect(paused.output?.startsWith(start)).toBe(true);
});

it('an answer that is all reasoning is rejected in words', async () => {
  const content = [{ type: 'thinking', thinking: 'I should plan', signature: 'x' }];
  const service = await startService([message('', { content }), plan('a'), done(), answer('ok')]);
  await service.say('s1', 'Hello');
  const trace = await service.trace('s1');
  expect(trace[1]?.event).toMatchObject({
    type: 'plan.rejected',
    reason: 'the answer was empty: all that came stands in the reasoning, which is not read',
  });
});
