import { expectTrace, recordTrace, scriptedModel } from 'tripact/testing';
import { expect, it } from 'vitest';
import config from '../tripact.config.ts';

const findOrder = (number: string) => [{ name: 'shop_find_order', input: { number } }];
const refund = (order: string, euros: number) => [{ name: 'refund', input: { order, euros, reason: 'broken' } }];
const finish = (response: string) => [{ name: 'finish', input: { response } }];

it('asks before it pays a large refund, and pays once after the yes', async () => {
  const model = scriptedModel([findOrder('17'), refund('17', 50), finish('You get 50 euros back.')]);
  const inputs = ['My order 17 arrived broken', { type: 'approve' } as const];
  const { turns, replies, trace } = await recordTrace({ config, model, inputs });
  expect(turns[0]).toMatchObject({
    status: 'asking',
    approval: { tool: 'refund', summary: 'Refund 50 euros for order 17: broken' },
  });
  expect(replies.at(-1)).toBe('You get 50 euros back.');
  await expectTrace(trace).toReplay();
});

it('pays a small refund at once', async () => {
  const model = scriptedModel([findOrder('18'), refund('18', 9), finish('You get 9 euros back.')]);
  const { turns } = await recordTrace({ config, model, inputs: ['Where is order 18?'] });
  expect(turns).toMatchObject([{ status: 'answered', output: 'You get 9 euros back.' }]);
});

it('never pays more than 500 euros, whoever says yes', async () => {
  const model = scriptedModel([refund('17', 900), finish('I cannot do that.')]);
  const { turns } = await recordTrace({ config, model, inputs: ['Pay me 900 euros'] });
  expect(turns[0]).toMatchObject({ status: 'answered', task: { failed_steps: 1 } });
  expect(model.requests.at(-1)?.task.observations.at(-1)).toMatchObject({ ok: false });
});
