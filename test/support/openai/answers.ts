import type { MessagesRequest, Respond, Wire, WireText } from '../anthropic/messages.ts';

export interface ChatParts {
  finish_reason?: string | null;
  message?: Record<string, unknown>;
  usage?: Record<string, unknown> | null;
}

const textOf = (answer: string | Record<string, unknown>) =>
  typeof answer === 'string' ? answer : JSON.stringify(answer);

/** A complete chat completion with this text, or this object as JSON. */
export const chat =
  (answer: string | Record<string, unknown>, { message, ...parts }: ChatParts = {}): Respond =>
  (response) => {
    const { finish_reason = 'stop', usage = { prompt_tokens: 10, completion_tokens: 5 } } = parts;
    const body = {
      id: 'chatcmpl_test',
      object: 'chat.completion',
      created: 1,
      model: 'test-model',
      choices: [{ index: 0, message: { role: 'assistant', content: textOf(answer), ...message }, finish_reason }],
      usage,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** The answer reached the token limit: `text` is only its beginning. */
export const tooLong = (text: string): Respond => chat(text, { finish_reason: 'length' });

/** The model refused, in the field for that. */
export const refusal = (): Respond => chat('', { message: { content: null, refusal: 'I will not.' } });

/** The provider's filter removed the answer. */
export const filtered = (): Respond => chat('', { finish_reason: 'content_filter', message: { content: null } });

/** The model calls a tool that was not offered, beside a text. */
export const toolCall = (text = ''): Respond =>
  chat(text, {
    finish_reason: 'tool_calls',
    message: {
      tool_calls: [{ id: 'call_test', type: 'function', function: { name: 'todo', arguments: '{"text":"never"}' } }],
    },
  });

/** An event stream that was not requested and never ends, as an answer. */
export const brokenStream = (): Respond => (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end('data: {"choices":[{"index":0,"delta":{"content":"{\\"sta"}}]}\n\n');
};

/** `POST /v1/chat/completions`: the first message is the system's. */
export const CHAT_API: Wire = {
  path: '/v1/chat/completions',
  textsOf: (sent) => {
    const [first, ...messages] = sent['messages'] as { role: string; content: WireText }[];
    return { system: first?.content ?? '', messages } satisfies MessagesRequest['sent'];
  },
  message: chat,
};
