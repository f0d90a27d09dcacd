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
