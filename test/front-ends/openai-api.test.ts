import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import { clientOf, errorOf, said, sessionsOf, start } from '../support/front-ends/openai-service.ts';
import { answer, ask, done, plan, startService } from '../support/service/service.ts';

describe('a reply', () => {
  it('has the usage of its own turn, with progress as reasoning', async () => {
    const service = await startService([plan('Ask'), ask('Which?'), answer('Done.')]);
    const create = (...texts: string[]) =>
      clientOf(service).chat.completions.create(
        { model: 'gpt-x', messages: said(...texts) },
        { headers: { 'x-session-id': 's' } },
      );
    const question = await create('go');
    expect(question).toMatchObject({ model: 'gpt-x', object: 'chat.completion', choices: [{ finish_reason: 'stop' }] });
    expect(question.choices[0]?.message).toMatchObject({ reasoning_content: expect.stringContaining('Ask') });
    const result = await create('go', 'Which?', 'this one');
    const { tasks } = await service.get<{ tasks: [{ usage: { input_tokens: number; output_tokens: number } }] }>(
      '/v1/sessions/s/tasks',
    );
    const both = [question, result].map(({ usage }) => usage);
    expect(both.every((usage) => (usage?.completion_tokens ?? 0) > 0)).toBe(true);
    expect(tasks).toHaveLength(1);
    expect(tasks[0].usage).toMatchObject({
      input_tokens: (both[0]?.prompt_tokens ?? 0) + (both[1]?.prompt_tokens ?? 0),
      output_tokens: (both[0]?.completion_tokens ?? 0) + (both[1]?.completion_tokens ?? 0),
    });
    const stream = await clientOf(service).chat.completions.create(
      { model: 'm', messages: said('/status'), stream: true, stream_options: { include_usage: true } },
      { headers: { 'x-session-id': 's' } },
    );
    const chunks = await Array.fromAsync(stream);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 0 } });
  });
});

describe('a message with null where others leave a field out', () => {
  it('is read like theirs: the refusal and the text of a part, a role beside a type', async () => {
    const service = await start({ a: 'A', b: 'B' });
    const create = (messages: object[]) => clientOf(service).chat.completions.create({ model: 'm', messages } as never);
    const first = await create([{ role: 'user', content: [{ type: 'text', text: 'a', refusal: null }] }]);
    const part = { type: 'text', text: first.choices[0]?.message.content, refusal: null };
    const earlier = [...said('a'), { role: 'assistant', content: [part], refusal: null, tool_calls: null }];
    const second = await create([...earlier, { role: 'user', type: null, content: [{ type: 'text', text: 'b' }] }]);
    expect(second.choices[0]?.message.content).toBe('B');
    expect(await sessionsOf(service)).toHaveLength(1);
  });
});

describe('a response', () => {
  it('goes on from the response before, and from a conversation', async () => {
    const service = await start({ a: 'A', b: 'B', c: 'C' });
    const { responses, conversations } = clientOf(service);
    const one = await responses.create({ input: 'a', model: 'gpt-x', metadata: { k: 'v' } });
    expect(one).toMatchObject({ status: 'completed', output_text: 'A', model: 'gpt-x', metadata: { k: 'v' } });
    expect(await service.get(`/v1/sessions/${one.conversation!.id}/turns`)).toMatchObject({
      turns: [{ metadata: { k: 'v' } }],
    });
    const two = await responses.create({ input: 'b', previous_response_id: one.id });
    expect(two.conversation).toEqual(one.conversation);
    expect(await responses.retrieve(two.id)).toMatchObject({ id: two.id, output_text: 'B', usage: two.usage ?? {} });
    const { id } = await conversations.create({});
    const three = await responses.create({ input: [{ role: 'user', content: 'c' }], conversation: { id } });
    expect(three.conversation).toEqual({ id });
    const four = await responses.create({
      input: [{ role: 'user', content: 'c' }, ...three.output, { role: 'user', content: '/todo list' }],
    } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
    expect(four.status).toBe('completed');
    const both = responses.create({ input: 'a', conversation: id, previous_response_id: one.id });
    expect(await errorOf(both)).toMatchObject({ status: 400 });
  });

  it('runs in the background, and can be asked for and cancelled', async () => {
    const service = await startService(answersByGoal({ a: [plan('Think'), () => new Promise(() => {})] }));
    const { responses } = clientOf(service);
    const one = await responses.create({ input: 'a', background: true });
    expect(['queued', 'in_progress']).toContain(one.status);
    await service.model.asked(2);
    expect(await responses.retrieve(one.id)).toMatchObject({ status: 'in_progress', output: [] });
    const behind = await responses.create({ input: 'b', background: true, previous_response_id: one.id });
    expect(behind.status).toBe('queued');
    expect(await errorOf(responses.cancel(behind.id))).toMatchObject({ status: 400 });
    const cancelled = await responses.cancel(one.id);
    expect(cancelled).toMatchObject({ id: one.id, status: 'cancelled' });
    expect(await responses.cancel(one.id)).toMatchObject({ id: one.id, status: 'cancelled' });
  });

  it('is unknown once it is deleted, and its messages stay in its session', async () => {
    const service = await start({});
    const { responses } = clientOf(service);
    const one = await responses.create({ input: '/todo add milk', conversation: 'c' });
    const deleted = await fetch(`${service.url}/v1/responses/${one.id}`, { method: 'DELETE' });
    expect(await deleted.json()).toEqual({ id: one.id, object: 'response', deleted: true });
    const unknown = { status: 404, code: 'turn_not_found' };
    expect(await errorOf(responses.retrieve(one.id))).toMatchObject(unknown);
    expect(await errorOf(responses.cancel(one.id))).toMatchObject(unknown);
    expect(await errorOf(responses.delete(one.id))).toMatchObject(unknown);
    const next = { input: '/todo list', previous_response_id: one.id };
    expect(await errorOf(responses.create(next))).toMatchObject({ status: 400, code: 'previous_response_not_found' });
    const two = await responses.create({ input: '/todo list', conversation: 'c' });
    expect(two.output_text).toContain('milk');
    await responses.delete(two.id);
    expect(await errorOf(responses.retrieve(two.id))).toMatchObject(unknown);
  });

  it('says how it ended: failed, incomplete', async () => {
    const failing = [plan('Try'), done(), { ...answer('It could not be done.'), outcome: 'failed' }];
    const service = await startService(failing);
    const stream = clientOf(service).responses.stream({ input: 'a', model: 'm' });
    const types = (await Array.fromAsync(stream)).map(({ type }) => type);
    expect(types.at(-1)).toBe('response.failed');
    const failed = await stream.finalResponse();
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
    expect(failed.output_text).toContain('It could not be done.');
    const short = await startService([plan('Try'), done(), answer('x')], { TRIPACT_MAX_STEPS: '1' });
    const paused = await clientOf(short).responses.create({ input: 'a' });
    expect(paused).toMatchObject({ status: 'incomplete', incomplete_details: null });
    expect(paused.output_text).toContain('continue');
  });

  it('has its input and its conversation as lists', async () => {
    const service = await start({ a: 'A', b: 'B' });
    const { responses, conversations } = clientOf(service);
    await responses.create({ input: 'a', conversation: 'c' });
    const two = await responses.create({ input: 'b', conversation: 'c' });
    const asked = await Array.fromAsync(await responses.inputItems.list(two.id));
    expect(asked).toMatchObject([{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'b' }] }]);
    const newest = await Array.fromAsync(await conversations.items.list('c', { limit: 1 }));
    expect(newest).toMatchObject([
      { role: 'assistant', content: [{ text: 'B' }] },
      { role: 'user', content: [{ text: 'b' }] },
      { role: 'assistant', content: [{ text: 'A' }] },
      { role: 'user', content: [{ text: 'a' }] },
    ]);
    const oldest = await Array.fromAsync(await conversations.items.list('c', { order: 'asc', limit: 3 }));
    expect(oldest).toEqual(newest.toReversed());
    expect(await errorOf(conversations.items.list('none'))).toMatchObject({ status: 404 });
  });

  it('is sent as events of the SDK, numbered without gaps, and the same again later', async () => {
    const service = await start({ 写一首诗: '床前明月光' });
    const stream = clientOf(service).responses.stream({ input: '写一首诗', model: 'm' });
    const events = await Array.fromAsync(stream);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
    const final = await stream.finalResponse();
    expect(final).toMatchObject({ status: 'completed', output_text: '床前明月光' });
    const again = await clientOf(service).responses.retrieve(final.id, { stream: true, starting_after: 3 });
    const rest = await Array.fromAsync(again);
    expect(rest.map(({ type }) => type)).toEqual(events.slice(4).map(({ type }) => type));
  });
});

describe('what cannot be', () => {
  it('is refused in one sentence that names the field, in either API', async () => {
    const service = await start({});
    const { chat, responses } = clientOf(service);
    const code = 'invalid_request';
    const chats: [object, string, string][] = [
      [{}, 'messages', "'messages' is missing"],
      [{ messages: [] }, 'messages', "'messages' is invalid: too small: expected array to have >=1 items"],
      [
        { messages: [{ role: 'user', content: [{ type: 'text', text: 5 }] }] },
        'messages[0].content[0].text',
        "'messages[0].content[0].text' is invalid: expected string, received number",
      ],
      [{ messages: [{ content: 'a' }] }, 'messages[0]', "'messages[0]' is invalid: it has no role"],
      [{ messages: [{ role: 'user', content: ' ' }] }, 'messages', 'There is no user message with text'],
      [
        { messages: [{ role: 'user', content: 'x'.repeat(40_000) }] },
        'messages',
        "'messages' is invalid: must be at most 32768 bytes of UTF-8",
      ],
      [{ messages: said('a'), n: 2 }, 'n', "'n' is invalid: can only be 1"],
      [
        { messages: said('a'), response_format: { type: 'grammar' } },
        'response_format.type',
        "'response_format.type' is invalid: expected 'text' | 'json_object' | 'json_schema'",
      ],
    ];
    for (const [body, param, message] of chats)
      expect(await errorOf(chat.completions.create({ model: 'm', ...body } as never))).toEqual({
        status: 400,
        code,
        param,
        message: `400 ${message}`,
      });
    const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } };
    const inResponses: [object, string, string][] = [
      [{}, 'input', "'input' is missing"],
      [{ input: 5 }, 'input', "'input' is invalid: expected array, received number"],
      [{ input: 'a', conversation: 7 }, 'conversation', "'conversation' is invalid: expected string, received number"],
      [{ input: 'a', metadata: { a: 1 } }, 'metadata.a', "'metadata.a' is invalid: expected string, received number"],
      [
        { input: 'a', text: { format: { type: 'json_schema', name: 's', schema: pattern } } },
        'text.format.properties.a.pattern',
        '\'text.format.properties.a.pattern\' is invalid: cannot be checked; use "format" or "enum" instead',
      ],
      [
        { input: 'a', conversation: 'c', previous_response_id: 'resp_x' },
        'previous_response_id',
        "'conversation' and 'previous_response_id' cannot be combined",
      ],
    ];
    for (const [body, param, message] of inResponses)
      expect(await errorOf(responses.create({ model: 'm', ...body } as never))).toEqual({
        status: 400,
        code,
        param,
        message: `400 ${message}`,
      });
    expect(await sessionsOf(service)).toEqual([]);
  });

  it("a call of the client's tools cannot be forced, and is refused before anything is opened", async () => {
    const service = await start({ a: 'A' });
    const { chat, responses } = clientOf(service);
    const named = { type: 'function', function: { name: 'f' } };
    const create = (body: object) => chat.completions.create({ model: 'm', messages: said('a'), ...body } as never);
    const forced = ['required', named, { type: 'custom', custom: { name: 'f' } }];
    const among = (mode: string) => ({ type: 'allowed_tools', allowed_tools: { mode, tools: [named] } });
    for (const tool_choice of [...forced, among('required')])
      expect(await errorOf(create({ tools: [named], tool_choice }))).toMatchObject({
        status: 400,
        param: 'tool_choice',
      });
    expect(await errorOf(create({ function_call: { name: 'f' } }))).toMatchObject({
      status: 400,
      param: 'function_call',
    });
    for (const tool_choice of ['required', { type: 'function', name: 'f' }, { type: 'web_search' }])
      expect(await errorOf(responses.create({ input: 'a', tool_choice } as never))).toMatchObject({
        param: 'tool_choice',
      });
    expect(await sessionsOf(service)).toEqual([]);
    const free = await create({ tools: [named], tool_choice: among('auto') });
    expect(free.choices[0]?.message.content).toBe('A');
    for (const tool_choice of ['auto', 'none', null])
      expect(await create({ messages: said('/todo list'), tools: [named], tool_choice })).toMatchObject({
        choices: [{ message: { content: 'No todos.' } }],
      });
  });

  it('is refused in the form of the API, and nothing is opened', async () => {
    const service = await start({});
    const bad: [string, unknown, RegExp][] = [
      ['no messages', {}, /messages/],
      ['content of a wrong type', { messages: [{ role: 'user', content: 5 }] }, /messages\[0\]\.content/],
      ['a blank message', { messages: [{ role: 'user', content: ' \n' }] }, /no user message/],
    ];
    for (const [what, body, reason] of bad) {
      const response = await service.post('/v1/chat/completions', body);
      const { error } = (await response.json()) as { error: { message: string; type: string } };
      expect([what, response.status, error.type]).toEqual([what, 400, 'invalid_request_error']);
      expect(error.message).toMatch(reason);
    }
    expect(await sessionsOf(service)).toEqual([]);
  });

  it('unknown models, responses and addresses are refused in the form of the API', async () => {
    const service = await start({});
    const { models, responses } = clientOf(service);
    expect((await models.list()).data).toMatchObject([{ id: 'tripact' }]);
    expect(await models.retrieve('tripact')).toMatchObject({ id: 'tripact' });
    expect(await errorOf(models.retrieve('gpt-x'))).toMatchObject({ status: 404, code: 'not_found' });
    const embeddings = clientOf(service).embeddings.create({ model: 'm', input: 'x' });
    expect(await errorOf(embeddings)).toMatchObject({ status: 404, code: 'not_found' });
    for (const id of ['resp_unknown', 'turn_x', 'x/y'])
      expect(await errorOf(responses.retrieve(id))).toMatchObject({ status: 404, code: 'turn_not_found' });
    const next = responses.create({ input: 'x', previous_response_id: 'resp_unknown' });
    expect(await errorOf(next)).toEqual({
      status: 400,
      code: 'previous_response_not_found',
      message: "400 Previous response with id 'resp_unknown' not found.",
      param: 'previous_response_id',
    });
    expect(await sessionsOf(service)).toEqual([]);
  });
});
