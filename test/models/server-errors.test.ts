import { describe, expect, test } from 'vitest';
import { apiError, message } from '../support/anthropic/answers.ts';
import type { Respond } from '../support/anthropic/messages.ts';
import { modelAgainst, modelRequest } from '../support/anthropic/model.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { CHAT_API, chat } from '../support/openai/answers.ts';
import { chatModelAgainst } from '../support/openai/model.ts';

const never = new AbortController().signal;

const apis = {
  '/v1/messages': { api: undefined, against: modelAgainst },
  '/chat/completions': { api: CHAT_API, against: chatModelAgainst },
} as const;

const answering =
  (status: number, body: string, type = 'application/json'): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };

/** The reason with which a call fails whose server always answers like this. */
const reasonOf = async (name: keyof typeof apis, respond: Respond, onText?: () => void): Promise<string> => {
  const { api, against } = apis[name];
  const server = await startMessagesServer([respond, respond, respond, respond], api);
  const request = { ...modelRequest('plan'), ...(onText !== undefined && { onText }) };
  return against(server.url)
    .model.answer(request, never)
    .then(({ fault }) => fault)
    .catch(({ message: reason }: Error) => reason)
    .finally(() => server.close());
};

describe.each(Object.keys(apis) as (keyof typeof apis)[])('a server at %s', (api) => {
  test.each([
    '{"error":"no such model"}',
    '{"error":{"message":"no such model"}}',
    '{"type":"error","error":{"type":"not_found_error","message":"no such model"}}',
    '{"detail":"no such model"}',
    '{"detail":[{"loc":["body"],"msg":"no such model"}]}',
    '{"errors":[{"message":"no such model"}]}',
  ])('has the words of its error in the log: %s', async (body) => {
    expect(await reasonOf(api, answering(404, body))).toContain('the server answered 404: no such model. ');
    expect(await reasonOf(api, answering(500, body))).toContain('the server answered 500: no such model; ');
    expect(await reasonOf(api, answering(200, body))).toContain('that is not a message: no such model; gave up');
  });

  test('has the words of an error in plain text in the log', async () => {
    expect(await reasonOf(api, answering(404, 'no such model', 'text/plain'))).toMatch(/404:.* no such model\. /);
  });

  test.each([
    [401, 'no'],
    [400, 'API key not valid. Please pass a valid API key.'],
    [403, 'invalid x-api-key'],
  ])('that refuses the key by %i is said to', async (status, text) => {
    const reason = await reasonOf(api, apiError(status, { text }));
    expect(reason).toMatch(/^the provider refused the key \(4\d\d: .*\)\. Check [A-Z]+_API_KEY\.$/);
  });

  test('that refuses what a good key asks for is not', async () => {
    expect(await reasonOf(api, apiError(403, { text: 'this key may not use the model' }))).not.toContain('refused');
  });
});

test('an error in a stream is tried again, and has its words in the log', async () => {
  const inStream = (body: string): Respond => answering(200, body, 'text/event-stream');
  const ended = 'the server ended the answer with an error: out of memory; gave up after 4 tries';
  const streamed = () => {};
  expect(
    await reasonOf('/v1/messages', inStream('event: error\ndata: {"error":"out of memory"}\n\n'), streamed),
  ).toContain(ended);
  expect(
    await reasonOf('/chat/completions', inStream('data: {"error":{"message":"out of memory"}}\n\n'), streamed),
  ).toContain(ended);
});

test('an answer of reasoning alone is not empty', async () => {
  const thinking = [{ type: 'thinking', thinking: '{"status":"done"}', signature: 'x' }];
  expect(await reasonOf('/v1/messages', message('', { content: thinking }))).toBe('only_reasoning');
  const reasoning = { content: null, reasoning_content: '{"status":"done"}' };
  expect(await reasonOf('/chat/completions', chat('', { message: reasoning }))).toBe('only_reasoning');
  const streamed = `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta: reasoning, finish_reason: 'stop' }] })}\n\n`;
  expect(await reasonOf('/chat/completions', answering(200, streamed, 'text/event-stream'), () => {})).toBe(
    'only_reasoning',
  );
});
