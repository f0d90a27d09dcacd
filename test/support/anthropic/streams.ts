import type { ServerResponse } from 'node:http';
import type { Respond } from './messages.ts';

const event = (response: ServerResponse, data: { type: string }): void =>
  void response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);

/** How a streamed message ends after its pieces. */
export type StreamEnd = 'whole' | 'max_tokens' | 'error' | 'cut';

/** A message as a stream, a piece of its text an event; `between` resolves before each piece after the first. */
export const streamedMessage =
  (pieces: string[], end: StreamEnd = 'whole', between: () => Promise<unknown> = async () => {}): Respond =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const usage = { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 1 };
    event(response, { type: 'message_start', message: { content: [], usage } } as never);
    event(response, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never);
    for (const [i, text] of pieces.entries()) {
      if (i > 0) await between();
      event(response, { type: 'ping' });
      event(response, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as never);
    }
    if (end === 'cut') return void response.write('\n', () => response.socket?.destroy());
    if (end === 'error')
      event(response, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } } as never);
    const stop_reason = end === 'whole' ? 'end_turn' : end;
    event(response, { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 7 } } as never);
    event(response, { type: 'message_stop' });
    response.end();
  };

/** A message of one call as a stream, a piece of its arguments an event; `between` resolves before each piece after the first. */
export const streamedCall =
  (name: string, pieces: string[], between: () => Promise<unknown> = async () => {}): Respond =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const usage = { input_tokens: 10, output_tokens: 1 };
    const content_block = { type: 'tool_use', id: 'toolu_0', name, input: {} };
    event(response, { type: 'message_start', message: { content: [], usage } } as never);
    event(response, { type: 'content_block_start', index: 0, content_block } as never);
    for (const [i, partial_json] of pieces.entries()) {
      if (i > 0) await between();
      const delta = { type: 'input_json_delta', partial_json };
      event(response, { type: 'content_block_delta', index: 0, delta } as never);
    }
    event(response, { type: 'content_block_stop', index: 0 } as never);
    const end = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } };
    event(response, end as never);
    event(response, { type: 'message_stop' });
    response.end();
  };

/** A chat completion as a stream, a piece of its text a chunk. */
export const streamedChat =
  (pieces: string[], isWhole = true): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (choices: object[], more = {}): void =>
      void response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`,
      );
    for (const content of pieces) chunk([{ index: 0, delta: { content }, finish_reason: null }]);
    if (!isWhole) return void response.write('\n', () => response.socket?.destroy());
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    chunk([], { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
    response.end('data: [DONE]\n\n');
  };
