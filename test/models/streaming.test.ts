import { describe, expect, test } from 'vitest';
import { message, rawBody } from '../support/anthropic/answers.ts';
import type { Respond } from '../support/anthropic/messages.ts';
import { modelAgainst, modelRequest } from '../support/anthropic/model.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { streamedChat, streamedMessage } from '../support/anthropic/streams.ts';
import { CHAT_API, chat } from '../support/openai/answers.ts';
import { chatModelAgainst } from '../support/openai/model.ts';

const never = new AbortController().signal;

const apis = {
  '/v1/messages': { api: undefined, model: modelAgainst, streamed: streamedMessage },
  '/chat/completions': {
    api: CHAT_API,
    model: chatModelAgainst,
    streamed: (pieces: string[], end = 'whole') => streamedChat(pieces, end === 'whole'),
  },
} as const;

describe.each(Object.entries(apis))('a model at %s that is asked to stream', (_, { api, model, streamed }) => {
  const askWith = async (...script: Parameters<typeof startMessagesServer>[0] & unknown[]) => {
    const server = await startMessagesServer(script as never, api);
    const pieces: (string | null)[] = [];
    const request = { ...modelRequest('replan'), onText: (piece: string | null) => void pieces.push(piece) };
    const { model: asked, waits } = model(server.url);
    const reply = await asked.answer(request, never).finally(() => server.close());
    return { reply, pieces, waits, bodies: server.requests.map(({ body }) => body) };
  };

  test('gives the text as it comes, and the same as a whole with its tokens', async () => {
    const { reply, pieces, bodies } = await askWith(streamed(['{"a":', '"b"}']));
    expect(bodies[0]).toMatchObject({ stream: true });
    expect(pieces).toEqual(['{"a":', '"b"}']);
    expect(reply).toMatchObject({ text: '{"a":"b"}', fault: 'none', usage: { input_tokens: 10 } });
    expect(reply.usage.output_tokens).toBeGreaterThan(4);
  });

  test('asks again where the stream breaks off, and says that what came is void', async () => {
    const { reply, pieces, waits } = await askWith(streamed(['{"a'], 'cut'), streamed(['{"b":1}']));
    expect(pieces).toEqual(['{"a', null, '{"b":1}']);
    expect(reply).toMatchObject({ text: '{"b":1}' });
    expect(waits).toHaveLength(1);
  });
});

describe('a stream of /v1/messages', () => {
  const stream = async (...script: Respond[]) => {
    const server = await startMessagesServer(script);
    const pieces: (string | null)[] = [];
    const request = { ...modelRequest('replan'), onText: (piece: string | null) => void pieces.push(piece) };
    const reply = await modelAgainst(server.url)
      .model.answer(request, never)
      .finally(() => server.close());
    return { reply, pieces };
  };

  test('has the tokens of its beginning and its end', async () => {
    const { reply } = await stream(streamedMessage(['x']));
    expect(reply.usage).toEqual({ input_tokens: 10, output_tokens: 7, cache_read_tokens: 3 });
  });

  test('says why it ended', async () => {
    expect((await stream(streamedMessage(['x'], 'max_tokens'))).reply.fault).toBe('truncated');
  });

  test('is asked for again where the server ends it with an error', async () => {
    const { reply, pieces } = await stream(streamedMessage(['x'], 'error'), streamedMessage(['y']));
    expect(pieces).toEqual(['x', null, 'y']);
    expect(reply.text).toBe('y');
  });
});

describe('a server that does not stream', () => {
  const refusing =
    (whole: Respond): Respond =>
    (response, asked) => {
      if (asked.body.stream !== true) return whole(response, asked);
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"stream is not supported"}}');
    };
  const wholeChat = chat('{"a":1}');

  test.each([
    ['/chat/completions refuses to', CHAT_API, chatModelAgainst, refusing(wholeChat)],
    ['/chat/completions ignores it', CHAT_API, chatModelAgainst, wholeChat],
    ['/v1/messages refuses to', undefined, modelAgainst, refusing(message('{"a":1}'))],
  ] as const)('answers as a whole, and is asked once: %s', async (_, api, against, respond) => {
    const server = await startMessagesServer([respond, respond, respond], api);
    const { model, waits } = against(server.url);
    const request = { ...modelRequest('replan'), onText: () => {} };
    const replies = [await model.answer(request, never), await model.answer(request, never)];
    await server.close();
    expect(replies.map(({ text }) => text)).toEqual(['{"a":1}', '{"a":1}']);
    expect(waits).toEqual([]);
    expect(server.requests.map(({ body }) => body.stream === true)).toEqual([true, false, false]);
  });
});

describe('a stream that cannot be read', () => {
  const whole = chat('{"b":1}');
  const raw = (text: string): Respond => rawBody(text, 'text/event-stream');
  const typed = (events: object[], isNamed = true): string =>
    events
      .map((data) => `${isNamed ? `event: ${(data as { type: string }).type}\n` : ''}data: ${JSON.stringify(data)}\n\n`)
      .join('');
  const events = [
    { type: 'message_start', message: { content: [], usage: { input_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '{"a"' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ];
  const chunk = 'data: {"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"{"}}]}\n\n';

  test.each([
    ['without event: lines', undefined, modelAgainst, raw(typed(events, false))],
    ['without its last event', undefined, modelAgainst, raw(typed(events.slice(0, 3)))],
    ['with broken data', undefined, modelAgainst, raw('event: message_start\ndata: {oops\n\n')],
    ['as text/plain', undefined, modelAgainst, rawBody(typed(events), 'text/plain')],
    ['of chunks without the last one', CHAT_API, chatModelAgainst, raw(chunk)],
    ['of chunks with [DONE] alone behind them', CHAT_API, chatModelAgainst, raw(`${chunk}data: [DONE]\n\n`)],
  ] as const)('%s is asked for as a whole at the next try, and from then on', async (_, api, against, unreadable) => {
    const answered = api === undefined ? message('{"b":1}') : whole;
    const server = await startMessagesServer([unreadable, answered, answered], api);
    const { model } = against(server.url);
    const request = { ...modelRequest('replan'), onText: () => {} };
    const replies = [await model.answer(request, never), await model.answer(request, never)];
    await server.close();
    expect(replies.map(({ text }) => text)).toEqual(['{"b":1}', '{"b":1}']);
    expect(server.requests.map(({ body }) => body.stream === true)).toEqual([true, false, false]);
  });

  test('from a server that streamed before is an accident: after the whole answer it is asked to stream again', async () => {
    const unreadable = raw(typed(events.slice(0, 3)));
    const streamed = streamedMessage(['x']);
    const server = await startMessagesServer([streamed, unreadable, message('y'), streamed]);
    const { model } = modelAgainst(server.url);
    const request = { ...modelRequest('replan'), onText: () => {} };
    for (const text of ['x', 'y', 'x']) expect((await model.answer(request, never)).text).toBe(text);
    await server.close();
    expect(server.requests.map(({ body }) => body.stream === true)).toEqual([true, true, false, true]);
  });
});
