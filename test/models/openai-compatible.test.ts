import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aiSdkModel, watchedFetch } from '../../src/models/ai-sdk/ai-sdk.ts';
import { structuredSchema } from '../../src/models/asking/contract-schema.ts';
import { apiError, htmlPage } from '../support/anthropic/answers.ts';
import { modelRequest, SECRET_KEY } from '../support/anthropic/model.ts';
import { type MessagesServer, startMessagesServer } from '../support/anthropic/server.ts';
import { CHAT_API, chat } from '../support/openai/answers.ts';
import { chatModelAgainst } from '../support/openai/model.ts';

const contracts = ['plan', 'thought', 'replan'] as const;
const never = new AbortController().signal;
let server: MessagesServer;

beforeEach(async () => {
  server = await startMessagesServer([], CHAT_API);
});
afterEach(() => server.close());

interface ChatBody {
  model: string;
  stream?: boolean;
  response_format?: { type: string; json_schema: { name: string; strict: boolean; schema: unknown } };
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string } }[];
  tool_choice?: string;
}

const bodies = (): ChatBody[] => server.requests.map(({ body }) => body as unknown as ChatBody);

describe('a request to /chat/completions', () => {
  test.each(contracts)(
    'asks for a %s in the text voice with its schema, every text in one string',
    async (contract) => {
      server.answer({ [contract]: '{}' });
      const request = modelRequest(contract, 3);
      await chatModelAgainst(server.url, { voice: 'text' }).model.answer(request, never);
      expect(server.requests[0]?.contract).toBe(contract);
      const { system, messages } = server.requests[0]!.sent;
      for (const text of [system, ...messages.map(({ content }) => content)]) expect(text).toBeTypeOf('string');
      expect(messages.map(({ role }) => role)).toEqual(['user']);
      const [body] = bodies();
      expect(body).toMatchObject({ model: 'test-model' });
      expect(body?.stream).not.toBe(true);
      expect(body?.response_format).toEqual({
        type: 'json_schema',
        json_schema: { name: contract, strict: false, schema: structuredSchema(request) },
      });
      expect(body).not.toHaveProperty('tools');
    },
  );

  test('asks in the native voice with tools, and leaves the choice among them to the model', async () => {
    server.answer(['{}']);
    await chatModelAgainst(server.url).model.answer(modelRequest('plan'), never);
    const [body] = bodies();
    expect(body?.tools?.map(({ function: { name } }) => name)).toEqual(['plan', 'item_done', 'finish', 'ask_user']);
    expect(body).not.toHaveProperty('response_format');
    expect(body?.tool_choice ?? 'auto').toBe('auto');
  });

  test('carries the key in its header, and no credential at all without a key', async () => {
    server.answer(['{}', '{}']);
    await chatModelAgainst(server.url).model.answer(modelRequest('plan'), never);
    await chatModelAgainst(server.url, { apiKey: '' }).model.answer(modelRequest('plan'), never);
    const [withKey, without] = server.requests.map(({ headers }) => headers.authorization);
    expect(withKey).toBe(`Bearer ${SECRET_KEY}`);
    expect(without).toBeUndefined();
  });
});

describe('a reply of /chat/completions', () => {
  test('counts what the cache gave apart from the rest', async () => {
    const usage = { prompt_tokens: 1_000, prompt_tokens_details: { cached_tokens: 800 }, completion_tokens: 7 };
    server.answer([chat('{}', { usage })]);
    const reply = await chatModelAgainst(server.url).model.answer(modelRequest('plan'), never);
    expect(reply.usage).toEqual({ input_tokens: 200, output_tokens: 7, cache_read_tokens: 800 });
  });

  const odd = [null, {}, { prompt_tokens: null }, { prompt_tokens: 9 }, { prompt_tokens: 0, completion_tokens: 0 }];
  test.each(odd)('leaves the tokens unknown when the server reports %o', async (usage) => {
    server.answer([chat('{}', { usage })]);
    const reply = await chatModelAgainst(server.url).model.answer(modelRequest('plan'), never);
    expect(reply).toMatchObject({ text: '{}', calls: [], fault: 'none', usage: { is_unknown: true } });
  });

  test('has its calls in their order, with their arguments read', async () => {
    const called = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    });
    const tool_calls = [
      called('1', 'plan', '{"items":["Look"]}'),
      called('2', 'search', '{"q":"x"}'),
      called('3', 'todo', 'add milk'),
    ];
    server.answer([chat('A note.', { finish_reason: 'tool_calls', message: { tool_calls } })]);
    expect(await chatModelAgainst(server.url).model.answer(modelRequest('plan'), never)).toMatchObject({
      text: 'A note.',
      calls: [
        { name: 'plan', input: { items: ['Look'] } },
        { name: 'search', input: { q: 'x' } },
        { name: 'todo', input: {}, unreadable: 'add milk' },
      ],
      fault: 'none',
    });
  });

  test('is without the reasoning that the server counts apart', async () => {
    server.answer([chat('{"a":1}', { message: { reasoning_content: 'secretly' } })]);
    expect((await chatModelAgainst(server.url).model.answer(modelRequest('plan'), never)).text).toBe('{"a":1}');
  });
});

test('a server that knows no structured output is asked once more without it, and never again with it', async () => {
  server.answer([apiError(400, { text: "'response_format.type' must be 'text'" }), 'first', 'second']);
  const { model, logged } = chatModelAgainst(server.url, { voice: 'text' });
  expect((await model.answer(modelRequest('plan'), never)).text).toBe('first');
  expect((await model.answer(modelRequest('thought'), never)).text).toBe('second');
  expect(bodies().map(({ response_format }) => response_format !== undefined)).toEqual([true, false, false]);
  expect(logged.map(({ message }) => message)).toEqual(['the server refused structured output, asking without it']);
});

describe('aiSdkModel', () => {
  const provider = () => createOpenAICompatible({ name: 'acme', baseURL: `${server.url}/v1`, fetch: watchedFetch() });

  test('asks any model of the AI SDK, and is named by its provider and model', async () => {
    server.answer(['the answer']);
    const model = aiSdkModel(provider()('large'), { maxOutputTokens: 500, structuredOutput: false, voice: 'text' });
    expect(model.name).toBe('acme:large');
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('the answer');
    expect(bodies()[0]).toMatchObject({ model: 'large', max_tokens: 500 });
    expect(bodies()[0]).not.toHaveProperty('response_format');
  });

  test('takes the deadline and the log of the service, and names no variable that it does not read', async () => {
    server.answer([htmlPage(200), apiError(401, { text: 'no key' })]);
    const warn = vi.fn();
    const model = aiSdkModel(provider()('large')).forService!({ timeoutMs: 5_000, log: { warn } });
    await expect(model.answer(modelRequest('plan'), never)).rejects.toThrow(
      "the provider refused the key (401: no key). Check the provider's API key.",
    );
    expect(warn).toHaveBeenCalledOnce();
  });

  test('treats the faults of a provider with its own fetch alike', async () => {
    server.answer([htmlPage(200), htmlPage(502), 'the answer']);
    const plain = createOpenAICompatible({ name: 'acme', baseURL: `${server.url}/v1` });
    const reasons: unknown[] = [];
    const model = aiSdkModel(plain('large')).forService!({
      timeoutMs: 20_000,
      log: { warn: ({ reason }) => reasons.push(reason) },
    });
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('the answer');
    expect(reasons).toEqual([
      'the server answered 200 with something that is not a message',
      'the server answered 502: an HTML page',
    ]);
  });

  test('marks what repeats for a provider of Anthropic, and for no other', async () => {
    const asked: { prompt: unknown }[] = [];
    const model = (name: string) =>
      aiSdkModel({
        specificationVersion: 'v4',
        provider: name,
        modelId: 'm',
        supportedUrls: {},
        doGenerate: async (options) => {
          asked.push(options);
          return {
            content: [{ type: 'text', text: '{}' }],
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: {
              inputTokens: { total: 1_000, noCache: 100, cacheRead: 700, cacheWrite: 200 },
              outputTokens: { total: 5, text: 5, reasoning: 0 },
            },
            warnings: [{ type: 'unsupported', feature: 'responseFormat' }],
          };
        },
        doStream: () => Promise.reject(new Error('not asked for')),
      });
    const reply = await model('anthropic.messages').answer(modelRequest('thought'), never);
    await model('mistral.chat').answer(modelRequest('thought'), never);
    const marks = asked.map(({ prompt }) => JSON.stringify(prompt).split('"cacheControl"').length - 1);
    expect(marks).toEqual([2, 0]);
    expect(reply.usage).toEqual({
      input_tokens: 100,
      output_tokens: 5,
      cache_written_tokens: 200,
      cache_read_tokens: 700,
    });
  });

  test('asks models of an older interface, and those that a string names, with the arguments as they were written', async () => {
    const called = [
      { type: 'tool-call' as const, toolCallId: '1', toolName: 'search', input: '{"id":9007199254740993}' },
    ];
    const older: LanguageModel = {
      specificationVersion: 'v3',
      provider: 'acme.chat',
      modelId: 'm',
      supportedUrls: {},
      doGenerate: async () => ({
        content: called,
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 5, text: 5, reasoning: 0 },
        },
        warnings: [],
      }),
      doStream: () => Promise.reject(new Error('not asked for')),
    };
    vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', { languageModel: () => older });
    onTestFinished(() => void vi.unstubAllGlobals());
    for (const given of [older, 'acme/m']) {
      const reply = await aiSdkModel(given).answer(modelRequest('plan'), never);
      expect(reply.calls).toEqual([
        { name: 'search', input: {}, unreadable: '{"id":9007199254740993}', fault: 'rounded_number' },
      ]);
    }
  });

  test('passes the effort of the service on', async () => {
    server.answer(['{}']);
    const log = { warn: () => {} };
    const model = aiSdkModel(provider()('large')).forService!({ timeoutMs: 5_000, log, effort: 'medium' });
    await model.answer(modelRequest('plan'), never);
    expect(server.raw[0]).toMatchObject({ reasoning_effort: 'medium' });
  });
});
