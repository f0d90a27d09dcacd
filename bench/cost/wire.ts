import type { IncomingMessage, ServerResponse } from 'node:http';

/** A tool call of the model. */
export interface Asked {
  name: string;
  input: Record<string, unknown>;
}

/** A message of the model: its calls, or its text. */
export interface Message {
  calls: Asked[];
  text: string;
}

/**
 * A piece of a prompt as a provider's cache sees it. `isMarked`: the request asks for the cache to be written up to its
 * end.
 */
export interface Piece {
  text: string;
  isMarked: boolean;
}

/** One request, as a model reads it. */
export interface Prompt {
  /** The names of the tools. */
  tools: string[];
  /** Its pieces in cache order: tools, system, messages. */
  pieces: Piece[];
  /** The number of pieces that are tools and system. */
  head: number;
  /** The text of the user's last message, and the tool results after it. */
  said: string;
  results: string[];
}

/** The format of one API: how a prompt is parsed, and how a message is written. */
export interface Wire {
  path: string;
  read(body: never): Prompt;
  write(response: ServerResponse, message: Message, isStreamed: boolean): void;
}

interface Block {
  type: string;
  text?: string;
  name?: string;
  input?: unknown;
  content?: string | Block[];
  cache_control?: unknown;
}

interface AnthropicBody {
  tools?: { name: string; description?: string; input_schema: unknown; cache_control?: unknown }[];
  system?: string | Block[];
  messages: { role: string; content: string | Block[] }[];
}

const blocksOf = (content: string | Block[]): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The text of a block, without its JSON and ids. */
const textOf = ({ type, text = '', name = '', input, content = '' }: Block): string => {
  if (type === 'tool_use') return `${name} ${JSON.stringify(input)}`;
  return type === 'tool_result' ? blocksOf(content).map(textOf).join('') : text;
};

let id = 0;

/** `POST /v1/messages`. */
export const anthropic: Wire = {
  path: '/v1/messages',
  read({ tools = [], system = '', messages }: AnthropicBody): Prompt {
    const head: Piece[] = [
      ...tools.map(({ cache_control, ...tool }) => ({
        text: JSON.stringify(tool),
        isMarked: cache_control !== undefined,
      })),
      ...blocksOf(system).map((block) => ({ text: textOf(block), isMarked: block.cache_control !== undefined })),
    ];
    const rest = messages.flatMap(({ role, content }) =>
      blocksOf(content).map((block, i) => ({
        text: `${i === 0 ? `\n\n${role}: ` : ''}${textOf(block)}`,
        isMarked: block.cache_control !== undefined,
      })),
    );
    const isSaid = ({ role, content }: AnthropicBody['messages'][number]): boolean =>
      role === 'user' && !blocksOf(content).some(({ type }) => type === 'tool_result');
    const last = messages.findLastIndex(isSaid);
    return {
      tools: tools.map(({ name }) => name),
      pieces: [...head, ...rest],
      head: head.length,
      said: blocksOf(messages[last]!.content).map(textOf).join(''),
      results: messages
        .slice(last + 1)
        .flatMap(({ content }) => blocksOf(content))
        .filter(({ type }) => type === 'tool_result')
        .map(textOf),
    };
  },
  write(response, { calls, text }, isStreamed) {
    const content = [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, input }) => ({ type: 'tool_use', id: `toolu_${++id}`, name, input })),
    ];
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${++id}`, type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null };
    if (!isStreamed) return sendJson(response, { ...message, content, stop_reason, usage });
    const events: object[] = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      ...content.flatMap((block, index) => [
        {
          type: 'content_block_start',
          index,
          content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} },
        },
        {
          type: 'content_block_delta',
          index,
          delta:
            'input' in block
              ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
              : { type: 'text_delta', text },
        },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    sendEvents(response, events as { type: string }[]);
  },
};

interface Item {
  type?: string;
  role?: string;
  content?: string | { text: string }[];
  name?: string;
  arguments?: string;
  output?: string | { text: string }[];
}

interface ResponsesBody {
  instructions?: string;
  tools?: { name: string; description?: string; parameters: unknown }[];
  input: string | Item[];
}

const contentOf = (content: string | { text: string }[] = ''): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('');

const itemText = ({ type = 'message', role, content, name, arguments: args, output }: Item): string => {
  if (type === 'function_call') return `\n\nassistant: ${name} ${args}`;
  return type === 'function_call_output' ? `\n\ntool: ${contentOf(output)}` : `\n\n${role}: ${contentOf(content)}`;
};

/** `POST /v1/responses`. */
export const responses: Wire = {
  path: '/v1/responses',
  read({ instructions = '', tools = [], input }: ResponsesBody): Prompt {
    const items: Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const last = items.findLastIndex(({ role }) => role === 'user');
    const unmarked = (text: string): Piece => ({ text, isMarked: false });
    return {
      tools: tools.map(({ name }) => name),
      pieces: [
        ...tools.map(({ name, description, parameters }) =>
          unmarked(JSON.stringify({ name, description, parameters })),
        ),
        unmarked(instructions),
        ...items.map((item) => unmarked(itemText(item))),
      ],
      head: tools.length + 1,
      said: contentOf(items[last]!.content),
      results: items
        .slice(last + 1)
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => contentOf(output)),
    };
  },
  write(response, { calls, text }) {
    const output = [
      ...(text === ''
        ? []
        : [
            {
              type: 'message',
              id: `msg_${++id}`,
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text, annotations: [] }],
            },
          ]),
      ...calls.map(({ name, input }) => ({
        type: 'function_call',
        id: `fc_${++id}`,
        call_id: `call_${id}`,
        name,
        arguments: JSON.stringify(input),
        status: 'completed',
      })),
    ];
    const counts = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
    sendJson(response, {
      id: `resp_${++id}`,
      object: 'response',
      created_at: 0,
      model: 'scripted',
      status: 'completed',
      output,
      usage: { ...counts, ...details },
    });
  },
};

const sendJson = (response: ServerResponse, body: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const sendEvents = (response: ServerResponse, events: { type: string }[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
};

/** A request's body as JSON. */
export const bodyOf = async (request: IncomingMessage): Promise<{ stream?: boolean }> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as { stream?: boolean };
};
