import { expectTrace, recordTrace, scriptedModel } from 'tripact/testing';
import { expect, it } from 'vitest';
import config from '../tripact.config.ts';

it('answers with the price that the tool gave', async () => {
  const model = scriptedModel([
    { status: 'planned', plan: ['Look the price up'] },
    {
      status: 'continue',
      current_step: 'Look the price up',
      next_action: { tool: 'price', input: '{"article":"tea"}' },
    },
    { status: 'done' },
    ({ task }) => ({ status: 'done', response: `Tea costs ${task.observations[0]?.result}` }),
  ]);
  const { replies, trace } = await recordTrace({ config, model, inputs: ['What does tea cost?'] });
  expect(replies).toEqual(['Tea costs 4.5 euros']);
  await expectTrace(trace).toReplay();
});
