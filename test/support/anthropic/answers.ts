import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagesAnswer, Respond } from './messages.ts';

export interface MessageParts {
  stop_reason?: string | null;
  content?: Record<string, unknown>[];
  usage?: Record<string, unknown> | null;
}

const json = { 'content-type': 'application/json' };
const page = '<!DOCTYPE html><html><body><h1>Bad gateway of the test</h1></body></html>';

const textOf = (answer: string | Record<string, unknown>) =>
  typeof answer === 'string' ? answer : JSON.stringify(answer);

const messageOf = (answer: string | Record<string, unknown>, parts: MessageParts = {}) => ({
  id: 'msg_test',
  type: 'message',
  role: 'assistant',
  model: 'test-model',
  content: [{ type: 'text', text: textOf(answer) }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
  ...parts,
});

/** A complete message with this text, or this object as JSON. */
export const message =
  (answer: string | Record<string, unknown>, parts?: MessageParts): Respond =>
  (response) => {
    response.writeHead(200, json).end(JSON.stringify(messageOf(answer, parts)));
  };

/** A message of calls, each a name and an input, with the text beside them. */
export const calls = (called: [name: string, input: Record<string, unknown>][], text = ''): Respond =>
  message('', {
    stop_reason: 'tool_use',
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...called.map(([name, input], i) => ({ type: 'tool_use', id: `toolu_${i}`, name, input })),
    ],
  });

/** The answer reached the token limit; `text` is only its beginning. */
export const maxTokens = (text: string): Respond => message(text, { stop_reason: 'max_tokens' });

/** The model refused, without content. */
export const refusal = (): Respond => message('', { stop_reason: 'refusal', content: [] });

/** The model answered with empty content. */
export const emptyContent = (): Respond => message('', { content: [] });

/** The model calls a tool that was not offered, beside a text. */
export const toolUse = (text = ''): Respond =>
  message('', {
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text },
      { type: 'tool_use', id: 'toolu_test', name: 'todo', input: { text: 'never to be run' } },
    ],
  });

/** The model calls a tool of its server, which ended without a result. */
export const serverToolUse = (text = ''): Respond =>
  message('', {
    stop_reason: 'pause_turn',
    content: [
      { type: 'text', text },
      { type: 'server_tool_use', id: 'srvtoolu_test', name: 'web_search', input: { query: 'x' } },
    ],
  });

/** An error in the API's own format. */
export const apiError =
  (status: number, { type = 'api_error', text = 'as scripted', headers = {}, details }: ApiErrorParts = {}): Respond =>
  (response) => {
    const error = { type, message: text, ...(details && { details }) };
    response.writeHead(status, { ...json, ...headers }).end(JSON.stringify({ type: 'error', error }));
  };

export interface ApiErrorParts {
  type?: string;
  text?: string;
  headers?: Record<string, string>;
  details?: Record<string, unknown>;
}

/** A web page in place of the API's reply. */
export const htmlPage =
  (status: number): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(page);
  };

/** A success with these bytes as the body, whatever they are. */
export const rawBody =
  (body: string, contentType = 'application/json'): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': contentType }).end(body);
  };

/** The connection is cut before any response. */
export const resetBeforeHeaders = (): Respond => (response) => {
  response.socket?.destroy();
};

/** Half of a message, then the connection is cut. */
export const resetInBody = (): Respond => (response) => {
  response.writeHead(200, json);
  response.write('{"type":"message","content":[', () => response.socket?.destroy());
};

/** Headers with this status and the beginning of a body, then silence. */
export const stallInBody =
  (status = 200): Respond =>
  (response) => {
    response.writeHead(status, json).write('{"type":');
  };

/** No response at all, not even headers, while the connection stays open. */
export const silence = (): Respond => () => {};

/** A complete message in small pieces, `gapMs` milliseconds apart. */
export const slowBody =
  (answer: string, { pieces, gapMs }: { pieces: number; gapMs: number }): Respond =>
  async (response) => {
    response.writeHead(200, json);
    const body = JSON.stringify(messageOf(answer));
    const size = Math.ceil(body.length / pieces);
    for (let at = 0; at < body.length; at += size) {
      response.write(body.slice(at, at + size));
      await sleep(gapMs);
    }
    response.end();
  };

/** A body without end, as fast as it is read. */
export const endlessBody = (): Respond => (response) => {
  response.writeHead(200, json);
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
  };
  response.on('drain', more);
  more();
};

/** Delays another answer until `gate` resolves. */
export const delayed =
  (gate: Promise<unknown>, answer: MessagesAnswer): Respond =>
  async (response, request) => {
    await gate;
    await (typeof answer === 'function' ? answer : message(answer))(response, request);
  };
