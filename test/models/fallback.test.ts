import { expect, it, vi } from 'vitest';
import { type Model, ModelUnavailable } from '../../src/models/port.ts';
import { withFallback } from '../../src/models/route.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { openTask } from '../support/machine/task-driver.ts';
import { requestFor } from './prompts-request.ts';

const down = (name: string): Model => ({
  name,
  answer: async () => {
    throw new ModelUnavailable(`${name} is down.`);
  },
});
const request = requestFor('plan', openTask().context);
const works = createScriptedModel(['fine']);

it('the fallback answers where the first brought no answer, and is named', async () => {
  const warn = vi.fn();
  const model = withFallback(down('first'), works, warn);
  expect(model.name).toBe('first');
  const reply = await model.answer(request, new AbortController().signal);
  expect(reply).toMatchObject({ text: 'fine', model: works.name });
  expect(warn).toHaveBeenCalledExactlyOnceWith('first is down.');
});

it('is not asked where the first answers, fails by its own fault or is aborted, and both are named where it brings no answer either', async () => {
  const fallback = { name: 'second', answer: vi.fn(down('second').answer) };
  const ask = (first: Model, signal = new AbortController().signal) =>
    withFallback(first, fallback, () => {}).answer(request, signal);
  expect(await ask(createScriptedModel(['fine']))).not.toHaveProperty('model');
  const broken = {
    name: 'broken',
    answer: async () => {
      throw new TypeError('a bug');
    },
  };
  await expect(ask(broken)).rejects.toThrow('a bug');
  await expect(ask(down('first'), AbortSignal.abort())).rejects.toThrow('first is down.');
  expect(fallback.answer).not.toHaveBeenCalled();
  await expect(ask(down('first'))).rejects.toThrow('first is down. The fallback: second is down.');
});
