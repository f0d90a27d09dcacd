import { expectTrace, recordTrace, scriptedModel } from 'tripact/testing';
import { expect, it } from 'vitest';
import config from './agent.ts';

const plan = { status: 'planned', plan: ['Look the price up'] };
const lookUp = (article: string) => ({
  status: 'continue',
  current_step: 'Look the price up',
  next_action: { tool: 'price', input: JSON.stringify({ article }) },
});
const itemDone = { status: 'done' };

it('answers with the price that the tool gave', async () => {
  const model = scriptedModel([
    plan,
    lookUp('Tea'),
    itemDone,
    ({ task }) => ({ status: 'done', response: `Tea costs ${task.observations[0]?.result}` }),
  ]);
  const { replies, trace } = await recordTrace({ config, model, inputs: ['What does tea cost?'] });
  expect(replies).toEqual(['Tea costs 4.5 euros']);
  await expectTrace(trace).toReplay();
});

it('lets the model know when there is no such article', async () => {
  const model = scriptedModel([plan, lookUp('gold'), itemDone, { status: 'done', response: 'We have no gold' }]);
  const { turns } = await recordTrace({ config, model, inputs: ['What does gold cost?'] });
  expect(turns[0]?.task).toMatchObject({ state: 'done', failed_steps: 1 });
  expect(model.requests.at(-1)?.task.observations).toMatchObject([{ ok: false, result: 'There is no article "gold"' }]);
});

it('asks when the article is missing, and goes on with the answer', async () => {
  const model = scriptedModel({
    plan,
    thought: [{ status: 'ask_user', current_step: 'Ask', question: 'Which article?' }, lookUp('cake'), itemDone],
    replan: [
      { status: 'replanned', plan: ['Look the cake up'] },
      { status: 'done', response: '12 euros' },
    ],
  });
  const { replies } = await recordTrace({ config, model, inputs: ['What does it cost?', 'The cake'] });
  expect(replies).toEqual(['Please confirm: Which article?', '12 euros']);
});

it('still makes the same of a conversation that was recorded', async () => {
  await expectTrace(new URL('price-of-tea.ndjson', import.meta.url)).toReplay();
});
