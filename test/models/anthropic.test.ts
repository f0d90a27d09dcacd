import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANSWER_TOKENS_MAX } from '../../src/models/anthropic/anthropic.ts';
import { structuredSchema } from '../../src/models/asking/contract-schema.ts';
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
  test.each(contracts)(
    'asks for a %s in the text voice with its schema, and says at the end what is due',
    async (contract) => {
      server.answer({ [contract]: '{}' });
      const request = modelRequest(contract, 3);
      await modelAgainst(server.url, { voice: 'text' }).model.answer(request, never);
      const [asked] = server.requests;
      expect(asked?.contract).toBe(contract);
      expect(asked?.body.output_config).toEqual({ format: { type: 'json_schema', schema: structuredSchema(request) } });
      expect(asked?.body.messages.map(({ role }) => role)).toEqual(['user']);
      expect(asked?.body).toMatchObject({ model: 'test-model', max_tokens: ANSWER_TOKENS_MAX });
      expect(asked?.body).not.toHaveProperty('tools');
      expect(asked?.body.stream).not.toBe(true);
    },
  );

  test('asks in the native voice with the same tools and rules for all that may be due', async () => {
    server.answer(['{}', '{}', '{}']);
    const { model } = modelAgainst(server.url);
    for (const contract of contracts) await model.answer(modelRequest(contract), never);
    expect(server.requests.map(({ contract }) => contract)).toEqual([...contracts]);
    const [first, ...others] = server.requests.map(({ body: { system, tools } }) => ({ system, tools }));
    for (const other of others) expect(other).toEqual(first);
    expect(first?.tools?.map(({ name }) => name)).toEqual(['plan', 'item_done', 'finish', 'ask_user']);
    expect(server.requests[0]?.body).not.toHaveProperty('output_config');
    expect(server.requests[0]?.body).not.toHaveProperty('tool_choice');
  });

  test('carries the key in its header, and no credential at all without a key', async () => {
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
      calls: [],
      fault: 'none',
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  const call = (name: string, input: unknown) => ({ type: 'tool_use', id: `toolu_${name}`, name, input });
  const content = [
    { type: 'thinking', thinking: 'secretly', signature: 'x' },
    { type: 'text', text: 'First the plan.' },
    call('plan', { items: ['Look'] }),
    call('search', { q: 'x' }),
  ];

  test('has its calls in their order, and the text beside them', async () => {
    server.answer([message('', { content, stop_reason: 'tool_use' })]);
    expect(await modelAgainst(server.url).model.answer(modelRequest('plan'), never)).toMatchObject({
      text: 'First the plan.',
      calls: [
        { name: 'plan', input: { items: ['Look'] } },
        { name: 'search', input: { q: 'x' } },
      ],
      fault: 'none',
    });
  });

  test.each(['max_tokens', 'refusal'])('has only the calls before a cut (%s)', async (stop_reason) => {
    server.answer([message('', { content, stop_reason }), message('', { content: content.slice(0, 3), stop_reason })]);
    const { model } = modelAgainst(server.url);
    const { calls } = await model.answer(modelRequest('plan'), never);
    expect(calls?.map(({ name }) => name)).toEqual(['plan']);
    const cut = await model.answer(modelRequest('plan'), never);
    expect(cut).toMatchObject({ calls: [], fault: stop_reason === 'refusal' ? 'refused' : 'truncated' });
  });

  test('keeps arguments that are no object as text, for the call to be refused', async () => {
    server.answer([message('', { content: [call('search', 'q=x')], stop_reason: 'tool_use' })]);
    expect((await modelAgainst(server.url).model.answer(modelRequest('plan'), never)).calls).toEqual([
      { name: 'search', input: {}, unreadable: 'q=x' },
    ]);
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

  const odd = [
    ...[null, { input_tokens: null }, {}, 'many', { input_tokens: '9', output_tokens: 5 }, { input_tokens: 9 }],
    ...[
      { input_tokens: 9, output_tokens: -1 },
      { input_tokens: 9.5, output_tokens: 1 },
    ],
    { input_tokens: 0, output_tokens: 0 },
  ];
  test.each(odd)('leaves the tokens unknown when the server reports %o', async (usage) => {
    server.answer([message('{}', { usage: usage as Record<string, unknown> })]);
    const reply = await modelAgainst(server.url).model.answer(modelRequest('plan'), never);
    expect(reply).toMatchObject({ text: '{}', calls: [], fault: 'none', usage: { is_unknown: true } });
  });
});

describe('in the text voice a server that knows no structured output', () => {
  const refuses = apiError(400, {
    type: 'invalid_request_error',
    text: 'output_config: Extra inputs are not permitted',
  });

  test('is asked once more without it, at once, and never again with it', async () => {
    server.answer([refuses, 'first', 'second']);
    const { model, logged, waits } = modelAgainst(server.url, { voice: 'text' });
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
    await expect(modelAgainst(server.url, { voice: 'text' }).model.answer(modelRequest('plan'), never)).rejects.toThrow(
      ModelUnavailable,
    );
    expect(server.requests).toHaveLength(2);
  });
});

describe('a server that knows no tools', () => {
  const refuses = apiError(400, { type: 'invalid_request_error', text: 'registry.ollama.ai/m does not support tools' });

  test('is asked by text at once, and from then on', async () => {
    server.answer([refuses, 'first', 'second']);
    const { model, logged, waits } = modelAgainst(server.url);
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('first');
    expect((await model.answer(modelRequest('thought'), never)).text).toBe('second');
    expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, false, false]);
    expect(server.requests.map(({ body }) => body.output_config !== undefined)).toEqual([false, true, true]);
    expect(waits).toEqual([]);
    expect(logged.map(({ message: text }) => text)).toEqual([
      'the server refused tool calls, asking in the text voice',
    ]);
    expect(model.voice?.()).toBe('text');
  });

  test('or that has called one before, is asked with them however often it answers by text', async () => {
    const called = message('', { content: [{ type: 'tool_use', id: 'toolu_1', name: 'finish', input: {} }] });
    server.answer([called, 'one', 'two', 'three', 'four']);
    const { model } = modelAgainst(server.url);
    for (let i = 0; i < 5; i += 1) await model.answer(modelRequest('plan'), never);
    expect(server.requests.every(({ body }) => body.tools !== undefined)).toBe(true);
  });

  test('or that never calls one, is asked by text after three answers', async () => {
    server.answer(['one', 'two', 'three', 'four']);
    const { model, logged } = modelAgainst(server.url);
    for (let i = 0; i < 4; i += 1) await model.answer(modelRequest('plan'), never);
    expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, true, true, false]);
    expect(logged.map(({ message: text }) => text)).toEqual([
      'the model answers without calls, asking in the text voice from now on',
    ]);
  });
});

describe('a given prompt', () => {
  const textsOf = (voice: string) => ({
    tools: null,
    system: [{ text: `in ${voice}` }],
    user: [{ text: 'Hello' }, { text: ' there' }],
  });
  const given = { voice: 'native' as const, in: textsOf };

  test('is sent as it stands, and answers to it by text are no sign that the model makes no calls', async () => {
    server.answer(['one', 'two', 'three', 'four']);
    const { model } = modelAgainst(server.url);
    for (let i = 0; i < 3; i += 1) await model.answer({ ...modelRequest('plan'), given }, never);
    expect(server.requests[2]!.body).toMatchObject({ system: 'in native', messages: [{ content: 'Hello there' }] });
    await model.answer(modelRequest('plan'), never);
    expect(server.requests[3]!.body.tools).toBeDefined();
  });

  test('is asked in its own voice, or in the other one if the server takes no calls', async () => {
    const refuses = apiError(400, { type: 'invalid_request_error', text: 'm does not support tools' });
    server.answer(['one', refuses, 'two']);
    const { model } = modelAgainst(server.url);
    await model.answer({ ...modelRequest('plan'), given: { ...given, voice: 'text' } }, never);
    expect(model.voice?.()).toBe('native');
    await model.answer({ ...modelRequest('plan'), given }, never);
    expect(server.requests.map(({ body }) => body.system)).toEqual(['in text', 'in native', 'in text']);
    expect(model.voice?.()).toBe('text');
  });

  test('is never shortened', async () => {
    server.answer([apiError(400, { type: 'invalid_request_error', text: 'prompt is too long: 9 tokens > 8 maximum' })]);
    const answer = modelAgainst(server.url).model.answer({ ...modelRequest('thought', 10), given }, never);
    await expect(answer).rejects.toThrow(/prompt is too long/);
    expect(server.requests).toHaveLength(1);
  });
});
