import { describe, expect, test } from 'vitest';
import { apiError } from '../support/anthropic/answers.ts';
import { modelRequest } from '../support/anthropic/model.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { WIRES } from '../support/models/wires.ts';
import { openAiModelAgainst } from '../support/openai/model.ts';

const never = new AbortController().signal;

/** The effort in a request's JSON, as each API has it. */
const effortIn = (raw: unknown): unknown => {
  const { output_config, reasoning, reasoning_effort } = raw as Record<string, { effort?: string } | undefined>;
  return output_config?.effort ?? reasoning?.effort ?? reasoning_effort;
};

const apis = Object.entries({
  ...WIRES,
  '/v1/responses': {
    ...WIRES['/v1/responses'],
    against: (url: string, given: object) => openAiModelAgainst(url, { model: 'gpt-5.5', ...given }),
  },
});

describe.each(apis)('the effort of a model at %s', (_, { api, against }) => {
  test('is the same in each call, whatever is due', async () => {
    const server = await startMessagesServer(['{}', '{}', '{}'], api);
    const { model } = against(server.url, { effort: 'high' });
    for (const due of ['plan', 'thought', 'replan'] as const) await model.answer(modelRequest(due), never);
    await server.close();
    expect(server.raw.map(effortIn)).toEqual(['high', 'high', 'high']);
  });

  test('is the model’s own where none is set', async () => {
    const server = await startMessagesServer(['{}'], api);
    await against(server.url, {}).model.answer(modelRequest('plan'), never);
    await server.close();
    expect(server.raw.map(effortIn)).toEqual([undefined]);
  });

  test.each([
    'This model does not support the effort parameter.',
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    'output_config: Extra inputs are not permitted',
  ])('is left out once its server refuses it: %s', async (text) => {
    const server = await startMessagesServer([apiError(400, { text }), 'first', 'second'], api);
    const { model, logged } = against(server.url, { effort: 'low' });
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('first');
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('second');
    await server.close();
    expect(server.raw.map(effortIn)).toEqual(['low', undefined, undefined]);
    expect(logged.map(({ message }) => message)).toEqual(['the server refused the effort, asking without it']);
  });
});

test('a model of OpenAI whose API accepts no tools with reasoning is named with the API that does', async () => {
  const { api, against } = WIRES['/chat/completions'];
  const text =
    'Function tools with reasoning_effort are not supported for m in /v1/chat/completions. Use /v1/responses.';
  const server = await startMessagesServer([apiError(400, { text })], api);
  const answer = against(server.url).model.answer(modelRequest('plan'), never);
  await expect(answer).rejects.toThrow('Set TRIPACT_MODEL to openai:<model>, which asks that API.');
  await server.close();
});
