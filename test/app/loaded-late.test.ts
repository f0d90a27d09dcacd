import { expect, it } from 'vitest';
import { loadedLate } from '../../src/app/create-model.ts';
import type { Model, ModelReply } from '../../src/models/port.ts';
import { modelRequest } from '../support/anthropic/model.ts';

it('tasks that waited for a model to be loaded ask it some in each turn of the event loop', async () => {
  const loading = Promise.withResolvers<Model>();
  const reply: ModelReply = { text: '{}', fault: 'none', usage: { input_tokens: 0, output_tokens: 0 } };
  let asked = 0;
  const model = loadedLate('late', () => loading.promise);
  const request = modelRequest('plan');
  const replies = Array.from({ length: 200 }, () => model.answer(request, new AbortController().signal));
  loading.resolve({
    name: 'late',
    answer: async () => {
      asked += 1;
      return reply;
    },
  });
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  expect(asked).toBeLessThan(50);
  expect(await Promise.all(replies)).toHaveLength(200);
});

it('a model that could not be loaded for a moment, such as without a file descriptor, is loaded for the next task', async () => {
  const reply: ModelReply = { text: '{}', fault: 'none', usage: { input_tokens: 0, output_tokens: 0 } };
  let tries = 0;
  const model = loadedLate('late', async () => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    return { name: 'late', answer: async () => reply };
  });
  const answer = () => model.answer(modelRequest('plan'), new AbortController().signal);
  await expect(answer()).rejects.toMatchObject({ code: 'EMFILE' });
  expect(await answer()).toBe(reply);
  expect(await answer()).toBe(reply);
  expect(tries).toBe(2);
});
