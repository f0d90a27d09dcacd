import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANSWER_TOKENS_MAX } from '../../src/models/anthropic/anthropic.ts';
import { structuredSchemas } from '../../src/models/contract-schema.ts';
import { ModelUnavailable } from '../../src/models/port.ts';
import { apiError, message } from '../support/anthropic/answers.ts';
import { modelAgainst, modelRequest, SECRET_KEY } from '../support/anthropic/model.ts';
import { type MessagesServer, startMessagesServer } from '../support/anthropic/server.ts';

const contracts = ['plan', 'thought', 'replan'] as const;
const never = new AbortController().signal;
let server: MessagesServer;

beforeEach(async () => {
  server = await startMessagesServer();
});
afterEach(() => server.close());

describe('a request to the messages API', () => {
  test.each(contracts)('asks for a %s with its schema, and Contract: first in the system prompt', async (contract) => {
    server.answer({ [contract]: '{}' });
    await modelAgainst(server.url).model.answer(modelRequest(contract, 3), never);
    const [request] = server.requests;
    expect(request?.contract).toBe(contract);
    expect(request?.body.system.split('\n')[0]).toBe(`Contract: ${contract}`);
    expect(request?.body.output_config).toEqual({
      format: { type: 'json_schema', schema: structuredSchemas()[contract] },
    });
    const roles = request?.body.messages.map(({ role }) => role) ?? [];
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
    expect(roles.at(-1)).toBe('user');
    expect(request?.body).toMatchObject({ model: 'test-model', max_tokens: ANSWER_TOKENS_MAX });
    expect(request?.body.stream).not.toBe(true);
  });

  test('carries the key in its header, and no credential at all where there is none', async () => {
    server.answer(['{}', '{}']);
    await modelAgainst(server.url).model.answer(modelRequest('plan'), never);
    await modelAgainst(server.url, { apiKey: '' }).model.answer(modelRequest('plan'), never);
    const [withKey, without] = server.requests.map(({ headers }) => headers);
    expect(withKey?.authorization).toBe(`Bearer ${SECRET_KEY}`);
    for (const name of ['x-api-key', 'authorization']) expect(without).not.toHaveProperty(name);
  });

  test('is not taken to another host by a redirect, for the key would go along', async () => {
    const elsewhere = await startMessagesServer({ plan: '{}' });
    server.answer([apiError(307, { headers: { location: `${elsewhere.url}/v1/messages` } })]);
    await expect(modelAgainst(server.url).model.answer(modelRequest('plan'), never)).rejects.toThrow(ModelUnavailable);
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });
});

describe('a reply of the messages API', () => {
  test('is the text as it came, unread', async () => {
    const text = 'Sure!\n```json\n{"status": "done"}\n```';
    server.answer([text]);
    const { model } = modelAgainst(server.url);
    expect(model.name).toBe('anthropic:test-model');
    expect(await model.answer(modelRequest('thought'), never)).toEqual({
      text,
      fault: 'none',
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  test('is the text blocks in a row, without the reasoning', async () => {
    const content = [
      { type: 'thinking', thinking: 'secretly', signature: 'x' },
      { type: 'text', text: '{"a":' },
      { type: 'text', text: '1}' },
    ];
    server.answer([message('', { content })]);
    expect((await modelAgainst(server.url).model.answer(modelRequest('plan'), never)).text).toBe('{"a":1}');
  });

  test('counts what was read from and written to the cache as input', async () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 3_000,
      output_tokens: 5,
    };
    server.answer([message('{}', { usage })]);
    const reply = await modelAgainst(server.url).model.answer(modelRequest('plan'), never);
    expect(reply.usage).toEqual({
      input_tokens: 10,
      output_tokens: 5,
      cache_written_tokens: 200,
      cache_read_tokens: 3_000,
    });
  });

  test.each([null, { input_tokens: null }, {}])('counts zero tokens when the server reports %o', async (usage) => {
    server.answer([message('{}', { usage })]);
    const reply = await modelAgainst(server.url).model.answer(modelRequest('plan'), never);
    expect(reply).toEqual({ text: '{}', fault: 'none', usage: { input_tokens: 0, output_tokens: 0 } });
  });
});

describe('a server that knows no structured output', () => {
  const refuses = apiError(400, {
    type: 'invalid_request_error',
    text: 'output_config: Extra inputs are not permitted',
  });

  test('is asked once more without it, at once, and never again with it', async () => {
    server.answer([refuses, 'first', 'second']);
    const { model, logged, waits } = modelAgainst(server.url);
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('first');
    expect((await model.answer(modelRequest('thought'), never)).text).toBe('second');
    expect(server.requests.map(({ body }) => body.output_config !== undefined)).toEqual([true, false, false]);
    expect(waits).toEqual([]);
    expect(logged.map(({ message, status }) => ({ message, status }))).toEqual([
      { message: 'the server refused structured output, asking without it', status: 400 },
    ]);
  });

  test('pauses the task when it refuses that as well', async () => {
    server.answer([refuses, refuses]);
    await expect(modelAgainst(server.url).model.answer(modelRequest('plan'), never)).rejects.toThrow(ModelUnavailable);
    expect(server.requests).toHaveLength(2);
  });
});
