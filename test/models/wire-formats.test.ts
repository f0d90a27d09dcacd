import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import { ANSWER_TOKENS_MAX } from '../../src/models/anthropic/anthropic.ts';
import type { ModelReply, ModelRequest } from '../../src/models/port.ts';
import { promptFor } from '../../src/models/prompt/prompt.ts';
import { textOf } from '../../src/models/prompt/prompt-text.ts';
import { modelRequest } from '../support/anthropic/model.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { RESPONSES_API, type Said, WIRES, type WireUnderTest } from '../support/models/wires.ts';
import { openAiModelAgainst } from '../support/openai/model.ts';

const never = new AbortController().signal;

const ask = async (wire: WireUnderTest, said: Said, streams: boolean) => {
  const server = await startMessagesServer([streams ? wire.streamed(said) : wire.whole(said)], wire.api);
  const pieces: [string | null, string][] = [];
  const request: ModelRequest = {
    ...modelRequest('plan'),
    ...(streams && { onText: (piece, of = 'text') => void pieces.push([piece, of]) }),
  };
  const reply = await wire
    .against(server.url)
    .model.answer(request, never)
    .finally(() => server.close());
  expect(server.requests[0]?.body.stream === true).toBe(streams);
  return { reply, pieces, body: server.requests[0]?.body as unknown };
};

const called = ({ calls = [] }: ModelReply) => calls.map(({ name, input }) => [name, input]);

const cases = Object.entries(WIRES).flatMap(([name, wire]) => [
  { name, how: 'whole', wire, streams: false },
  { name, how: 'as a stream', wire, streams: true },
]);

describe.each(cases)('a message of $name, $how,', ({ wire, streams }) => {
  test('has its calls in order, and the text beside them, without the reasoning', async () => {
    const said: Said = {
      text: 'First the plan.',
      calls: [
        ['plan', '{"items":["Look"]}'],
        ['search', '{"q":"x"}'],
      ],
    };
    const { reply } = await ask(wire, said, streams);
    expect(called(reply)).toEqual([
      ['plan', { items: ['Look'] }],
      ['search', { q: 'x' }],
    ]);
    expect(reply).toMatchObject({ text: 'First the plan.', fault: 'none' });
    expect(reply.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
  });

  test('has a call without arguments', async () => {
    const { reply } = await ask(wire, { calls: [['search', '{}']] }, streams);
    expect(called(reply)).toEqual([['search', {}]]);
  });

  test('has the calls before a cut, and not the one that it went through', async () => {
    const cut: [string, string] = ['search', streams || wire.api.path !== '/v1/messages' ? '{"q":"x' : '{}'];
    const { reply } = await ask(wire, { calls: [['todo', '{"input":"list"}'], cut], end: 'length' }, streams);
    expect(called(reply)).toEqual([['todo', { input: 'list' }]]);
    const alone = await ask(wire, { calls: [cut], end: 'length' }, streams);
    expect(alone.reply).toMatchObject({ calls: [], fault: 'truncated' });
  });

  test('that refuses does not count as an answer', async () => {
    const { reply } = await ask(wire, { text: 'I will not.', end: 'refusal' }, streams);
    expect(reply).toMatchObject({ calls: [], fault: 'refused' });
  });

  test.each([
    ['{"id":12345678901234567890}', 'rounded_number'],
    ['{"ids":[1,{"of":9007199254740993}]}', 'rounded_number'],
    ['{"amount":1e400}', 'rounded_number'],
    [`{"a":${'['.repeat(80)}${']'.repeat(80)}}`, 'too_deep'],
  ])('has a call whose arguments cannot be taken, as they were written: %s', async (args, fault) => {
    const { reply } = await ask(
      wire,
      {
        calls: [
          ['search', args],
          ['todo', '{"n":1}'],
        ],
      },
      streams,
    );
    expect(reply.calls).toEqual([
      { name: 'search', input: {}, unreadable: args, fault },
      { name: 'todo', input: { n: 1 } },
    ]);
  });

  test.each(['{"id":"12345678901234567890"}', '{"id":9007199254740992,"x":0.1,"text":"no: 12345678901234567890"}'])(
    'has a call whose numbers are exact: %s',
    async (args) => {
      const { reply } = await ask(wire, { calls: [['search', args]] }, streams);
      expect(reply.calls).toEqual([{ name: 'search', input: JSON.parse(args) }]);
    },
  );
});

describe.each(Object.entries(WIRES))('a stream of %s', (_, wire: WireUnderTest) => {
  test('shows the arguments of a first finish as they come, and of no other call', async () => {
    const args = '{"response":"It is 4 °C."}';
    const { pieces, reply } = await ask(wire, { text: 'Done.', calls: [['finish', args]] }, true);
    expect(pieces.flatMap(([piece, of]) => (of === 'finish' ? [piece] : [])).join('')).toBe(args);
    expect(pieces.length).toBeGreaterThan(2);
    expect(called(reply)).toEqual([['finish', { response: 'It is 4 °C.' }]]);
    const second = await ask(
      wire,
      {
        calls: [
          ['todo', '{"input":"list"}'],
          ['finish', args],
        ],
      },
      true,
    );
    expect(second.pieces.filter(([, of]) => of === 'finish')).toEqual([]);
  });
});

describe('a request', () => {
  const request = modelRequest('plan');
  const { tools, system, user } = promptFor(request, 'native');
  const [texts, tail] = [user.slice(0, -1), user.at(-1)!.text];

  test('to /v1/messages has the fields that the API publishes, marked behind the system prompt and before the tail', async () => {
    const { body } = await sent(WIRES['/v1/messages']);
    expect(body).toEqual({
      model: 'test-model',
      max_tokens: ANSWER_TOKENS_MAX,
      output_config: { effort: 'low' },
      system: [{ type: 'text', text: textOf(system), cache_control: { type: 'ephemeral' } }],
      tools: tools!.map(({ name, description, schema }) => ({
        name,
        description,
        input_schema: { ...schema, type: 'object' as const },
      })),
      messages: [
        {
          role: 'user',
          content: [
            ...texts.map(({ text }, i) => ({
              type: 'text' as const,
              text,
              ...(i === texts.length - 1 && { cache_control: { type: 'ephemeral' as const } }),
            })),
            { type: 'text', text: tail },
          ],
        },
      ],
    } satisfies MessageCreateParamsNonStreaming);
  });

  const mark = { mode: 'explicit' as const };
  const functions = tools!.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...schema },
    strict: false,
  }));

  test('to /v1/responses is stored nowhere, and marks all that stays for models that read their cache at marks', async () => {
    const { body } = await sent({ ...WIRES['/v1/responses'], against: against('gpt-5.6-terra') });
    expect(body).toEqual({
      model: 'gpt-5.6-terra',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
      prompt_cache_options: mark,
      input: [
        {
          role: 'developer',
          content: [{ type: 'input_text', text: textOf(system), prompt_cache_breakpoint: mark }],
        },
        {
          role: 'user',
          content: [
            ...texts.map(({ text }) => ({ type: 'input_text' as const, text, prompt_cache_breakpoint: mark })),
            { type: 'input_text', text: tail },
          ],
        },
      ],
      tools: functions,
    } satisfies ResponseCreateParamsNonStreaming);
  });

  test.each(['gpt-5.5', 'gpt-5.4-mini', 'gpt-4.1', 'o3'])(
    'to /v1/responses leads %s to the cache of its session by a key',
    async (model) => {
      const one = await sent({ ...WIRES['/v1/responses'], against: against(model) });
      const again = await sent({ ...WIRES['/v1/responses'], against: against(model) });
      const { prompt_cache_key: key } = one.body as ResponseCreateParamsNonStreaming;
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      expect(again.body).toMatchObject({ prompt_cache_key: key });
      expect(JSON.stringify(one.body)).not.toMatch(/prompt_cache_(options|breakpoint)/);
    },
  );

  test('to /chat/completions has each text in one string, for many servers take nothing else', async () => {
    const { body } = await sent(WIRES['/chat/completions']);
    expect(body).toEqual({
      model: 'test-model',
      reasoning_effort: 'low',
      messages: [
        { role: 'system', content: textOf(system) },
        { role: 'user', content: textOf(user) },
      ],
      tools: functions.map(({ type, strict: _, ...rest }) => ({ type, function: rest })),
    } satisfies ChatCompletionCreateParamsNonStreaming);
  });

  const against = (model: string) => (url: string, given: object) => openAiModelAgainst(url, { model, ...given });

  async function sent(wire: {
    api: WireUnderTest['api'];
    against(url: string, given: object): ReturnType<WireUnderTest['against']>;
  }) {
    const server = await startMessagesServer(['{}'], wire.api);
    await wire
      .against(server.url, { effort: 'low' })
      .model.answer(request, never)
      .finally(() => server.close());
    return { body: server.raw[0] };
  }
});

test('arguments that break off with the connection are asked for again', async () => {
  const wire = WIRES['/v1/responses'];
  const server = await startMessagesServer(
    [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const item = { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'finish', arguments: '' };
        const events = [
          { type: 'response.output_item.added', output_index: 0, item },
          {
            type: 'response.function_call_arguments.delta',
            item_id: 'fc_0',
            output_index: 0,
            delta: '{"response":"Hal',
          },
        ];
        for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        response.write('\n', () => response.socket?.destroy());
      },
      wire.streamed({ calls: [['finish', '{"response":"Whole."}']] }),
    ],
    RESPONSES_API,
  );
  const pieces: (string | null)[] = [];
  const request: ModelRequest = { ...modelRequest('replan'), onText: (piece) => void pieces.push(piece) };
  const { model, waits } = wire.against(server.url);
  const reply = await model.answer(request, never).finally(() => server.close());
  expect(called(reply)).toEqual([['finish', { response: 'Whole.' }]]);
  expect(pieces.slice(0, 2)).toEqual(['{"response":"Hal', null]);
  expect(waits).toHaveLength(1);
});
