import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Response, ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { MessagesRequest, Respond, Wire, WireText } from '../anthropic/messages.ts';
import { type ModelUnderTest, modelAgainst } from '../anthropic/model.ts';
import { MESSAGES_API } from '../anthropic/server.ts';
import { CHAT_API } from '../openai/answers.ts';
import { chatModelAgainst, openAiModelAgainst } from '../openai/model.ts';

/** A model's message: a text, then calls with their arguments as JSON text, and its end. */
export interface Said {
  text?: string;
  calls?: [name: string, json: string][];
  end?: 'whole' | 'length' | 'refusal';
}

/** One API: its messages in the types of its own SDK, complete and as streams. */
export interface WireUnderTest {
  api: Wire;
  against(url: string): ModelUnderTest;
  whole(said: Said): Respond;
  streamed(said: Said): Respond;
}

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };

const inHalves = (text: string): [string, string] => {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
};

/** Values that are written verbatim in JSON, where `JSON.stringify` would round them. */
const verbatim = (value: unknown, parts: readonly string[]): string =>
  parts.reduce((text, part, i) => text.replace(`"@${i}"`, () => part), JSON.stringify(value));

const messageOf = ({ text = '', calls = [], end = 'whole' }: Said): Message => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'test-model',
  container: null,
  diagnostics: null,
  content: [
    { type: 'thinking', thinking: '', signature: 'c2lnbmVk' },
    ...(text === '' ? [] : [{ type: 'text' as const, text, citations: null }]),
    ...calls.map(([name], i) => ({
      type: 'tool_use' as const,
      id: `toolu_${i}`,
      name,
      input: `@${i}`,
      caller: { type: 'direct' as const },
    })),
  ],
  stop_reason: { whole: calls.length > 0 ? 'tool_use' : 'end_turn', length: 'max_tokens', refusal: 'refusal' }[
    end
  ] as Message['stop_reason'],
  stop_sequence: null,
  stop_details: null,
  usage: {
    input_tokens: 10,
    output_tokens: 5,
    cache_creation: null,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  },
});

const messageEvents = (said: Said): RawMessageStreamEvent[] => {
  const message = messageOf(said);
  const { content, usage, stop_reason, stop_sequence, stop_details, container } = message;
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index): RawMessageStreamEvent[] => {
      const empty = { ...block };
      if (empty.type === 'text') empty.text = '';
      if (empty.type === 'tool_use') empty.input = {};
      const delta = (piece: string): RawMessageStreamEvent => ({
        type: 'content_block_delta',
        index,
        delta:
          block.type === 'text'
            ? { type: 'text_delta', text: piece }
            : { type: 'input_json_delta', partial_json: piece },
      });
      const args = block.type === 'tool_use' ? (said.calls?.[Number(block.id.slice(6))]?.[1] ?? '') : '';
      const written = block.type === 'text' ? block.text : args;
      return [
        { type: 'content_block_start', index, content_block: empty },
        ...(written === '' ? [] : inHalves(written).map(delta)),
        { type: 'content_block_stop', index },
      ];
    }),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage: { ...usage, input_tokens: 10 },
    },
    { type: 'message_stop' },
  ];
};

const itemsOf = ({ text = '', calls = [], end = 'whole' }: Said): ResponseOutputItem[] => [
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0' },
  ...(text === ''
    ? []
    : [
        {
          type: 'message' as const,
          id: 'msg_1',
          role: 'assistant' as const,
          status: 'completed' as const,
          content: [
            end === 'refusal'
              ? { type: 'refusal' as const, refusal: text }
              : { type: 'output_text' as const, text, annotations: [], logprobs: [] },
          ],
        },
      ]),
  ...calls.map(([name, args], i) => ({
    type: 'function_call' as const,
    id: `fc_${i}`,
    call_id: `call_${i}`,
    name,
    arguments: args,
    status: end === 'length' && i === calls.length - 1 ? ('incomplete' as const) : ('completed' as const),
  })),
];

const responseOf = (said: Said): Omit<Response, 'output_text'> => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'test-model',
  status: said.end === 'length' ? 'incomplete' : 'completed',
  access_programs: null,
  error: null,
  incomplete_details: said.end === 'length' ? { reason: 'max_output_tokens' } : null,
  instructions: null,
  metadata: null,
  output: itemsOf(said),
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 1 },
    total_tokens: 15,
  },
});

/** Events without their number, which is their position. */
type Unnumbered = ResponseStreamEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'sequence_number'>
    : never
  : never;

const responseEvents = (said: Said): Unnumbered[] => {
  const response = { ...responseOf(said), output_text: '' };
  const open: Response = { ...response, output: [], status: 'in_progress', incomplete_details: null };
  delete open.usage;
  const ofItem = (item: ResponseOutputItem, output_index: number): Unnumbered[] => {
    if (item.type === 'message') {
      const { id: item_id, content } = item;
      const [part] = content;
      const at = { item_id, output_index, content_index: 0 };
      const written = part?.type === 'refusal' ? part.refusal : (part?.text ?? '');
      return [
        { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
        ...inHalves(written).map(
          (delta): Unnumbered =>
            part?.type === 'refusal'
              ? { type: 'response.refusal.delta', ...at, delta }
              : { type: 'response.output_text.delta', ...at, delta, logprobs: [] },
        ),
        { type: 'response.output_item.done', output_index, item },
      ];
    }
    if (item.type === 'function_call') {
      const { id: item_id = '', arguments: args } = item;
      const begun: Unnumbered[] = [
        { type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } },
        ...inHalves(args).map(
          (delta): Unnumbered => ({
            type: 'response.function_call_arguments.delta',
            item_id,
            output_index,
            delta,
          }),
        ),
      ];
      if (item.status === 'incomplete') return begun;
      return [
        ...begun,
        { type: 'response.function_call_arguments.done', item_id, output_index, arguments: args },
        { type: 'response.output_item.done', output_index, item },
      ];
    }
    return [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ];
  };
  return [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    ...response.output.flatMap(ofItem),
    { type: said.end === 'length' ? 'response.incomplete' : 'response.completed', response },
  ];
};

const finishReason = ({ calls = [], end = 'whole' }: Said): ChatCompletion.Choice['finish_reason'] => {
  if (end === 'length') return 'length';
  return calls.length > 0 ? 'tool_calls' : 'stop';
};

const completionOf = (said: Said): ChatCompletion => ({
  id: 'chatcmpl_1',
  object: 'chat.completion',
  created: 1,
  model: 'test-model',
  choices: [
    {
      index: 0,
      finish_reason: finishReason(said),
      logprobs: null,
      message: {
        role: 'assistant',
        content: said.end === 'refusal' ? null : (said.text ?? null),
        refusal: said.end === 'refusal' ? (said.text ?? null) : null,
        ...(said.calls !== undefined && {
          tool_calls: said.calls.map(([name, args], i) => ({
            id: `call_${i}`,
            type: 'function' as const,
            function: { name, arguments: args },
          })),
        }),
      },
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

const chunksOf = (said: Said): ChatCompletionChunk[] => {
  const chunk = (
    delta: ChatCompletionChunk.Choice.Delta,
    finish_reason: ChatCompletionChunk.Choice['finish_reason'] = null,
  ): ChatCompletionChunk => ({
    id: 'chatcmpl_1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'test-model',
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  });
  const { text = '', calls = [], end } = said;
  const texts = text === '' ? [] : inHalves(text);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...texts.map((piece) => chunk(end === 'refusal' ? { refusal: piece } : { content: piece })),
    ...calls.flatMap(([name, args], index) => {
      const [one, other] = inHalves(args);
      return [
        chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: one } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: other } }] }),
      ];
    }),
    chunk({}, finishReason(said)),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  ];
};

const stream =
  (data: readonly object[], end = ''): Respond =>
  (response) => {
    response.writeHead(200, events);
    for (const [i, each] of data.entries()) {
      const numbered = 'response' in each || 'output_index' in each ? { ...each, sequence_number: i } : each;
      const named = 'type' in each ? `event: ${String(each.type)}\n` : '';
      response.write(`${named}data: ${JSON.stringify(numbered)}\n\n`);
    }
    response.end(end);
  };

const sendWhole =
  (body: string): Respond =>
  (response) => {
    response.writeHead(200, json).end(body);
  };

/** `POST /v1/responses`: the first item is the developer's message. */
export const RESPONSES_API: Wire = {
  path: '/v1/responses',
  textsOf: (sent) => {
    const [first, ...messages] = sent['input'] as { role: string; content: WireText }[];
    return { system: first?.content ?? '', messages } satisfies MessagesRequest['sent'];
  },
  message: (answer) =>
    sendWhole(JSON.stringify(responseOf({ text: typeof answer === 'string' ? answer : JSON.stringify(answer) }))),
};

export const WIRES = {
  '/v1/messages': {
    api: MESSAGES_API,
    against: modelAgainst,
    whole: (said) =>
      sendWhole(
        verbatim(
          messageOf(said),
          (said.calls ?? []).map(([, args]) => args),
        ),
      ),
    streamed: (said) => stream(messageEvents(said)),
  },
  '/v1/responses': {
    api: RESPONSES_API,
    against: openAiModelAgainst,
    whole: (said) => sendWhole(JSON.stringify(responseOf(said))),
    streamed: (said) => stream(responseEvents(said)),
  },
  '/chat/completions': {
    api: CHAT_API,
    against: chatModelAgainst,
    whole: (said) => sendWhole(JSON.stringify(completionOf(said))),
    streamed: (said) => stream(chunksOf(said), 'data: [DONE]\n\n'),
  },
} satisfies Record<string, WireUnderTest>;
