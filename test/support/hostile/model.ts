import { endlessBody, message, rawBody, resetInBody, silence, slowBody } from '../anthropic/answers.ts';
import type { Respond } from '../anthropic/messages.ts';

/** Characters of the longest answers: near what the service takes at all. */
const LONG_CHARS = 7_000_000;

const deep = (chars: number): string => `${'['.repeat(chars / 2)}${']'.repeat(chars / 2)}`;

/** A body that is shorter or longer than its `content-length`. */
const withLength =
  (body: string, length: number): Respond =>
  (response) => {
    response.strictContentLength = false;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.write(body);
  };

/** An event stream that never ends its message, of these events over and over. */
const events =
  (event: object, count: number): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: ping\ndata: ${JSON.stringify(event)}\n\n`.repeat(count));
  };

/** A message's text as an event stream. */
const streamed =
  (text: string): Respond =>
  (response) => {
    const parts = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...Array.from({ length: Math.ceil(text.length / 60_000) }, (_, i) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { text: text.slice(i * 60_000, (i + 1) * 60_000) },
      })),
      { type: 'message_stop' },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(parts.map((part) => `event: ${part.type}\ndata: ${JSON.stringify(part)}\n\n`).join(''));
  };

const started = [
  { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
];
const piece = (text: string): object => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

/** These events, as an event stream that ends where they do, in the middle of a character if `cut`. */
const streamOf =
  (parts: object[], { cut = false } = {}): Respond =>
  (response) => {
    const bytes = Buffer.from(parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join(''));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(cut ? bytes.subarray(0, bytes.indexOf('汉') + 1) : bytes);
  };

const manyNames = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`tokens_${i}`, 1]));

/** Ways in which a model at `/v1/messages` may behave that no model should. None of them is an answer that keeps a contract. */
export const hostileModel = {
  neverAnswers: silence(),
  slow: slowBody('Let me think about that', { pieces: 200, gapMs: 100 }),
  endless: endlessBody(),
  diesInMessage: resetInBody(),
  announcesMore: withLength('{"type":"message"}', 1_000_000),
  announcesLess: withLength('{"type":"message"}', 3),
  deepBody: rawBody(deep(LONG_CHARS)),
  deepText: message(deep(LONG_CHARS)),
  deepObjects: message('{"a":'.repeat(200_000)),
  manyObjects: message('{a:1} '.repeat(160_000)),
  manyBlocks: message('', { content: Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'x' })) }),
  manyKeys: message(`{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":0`).join(',')}}`),
  longPlan: message({ status: 'planned', plan: Array.from({ length: 50_000 }, (_, i) => `Step ${i}`) }),
  longStep: message(`[Step]${' '.repeat(400_000)}x\ry`),
  thinksForEver: message('<think>'.repeat(140_000)),
  oddUsage: message('{}', { usage: { input_tokens: -1, output_tokens: 1e308, cache_read_input_tokens: 'many' } }),
  oddTypes: rawBody('{"type":"message","content":[null,1,{"type":"text","text":{}},[[]]],"stop_reason":[]}'),
  tinyChunks: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }).flushHeaders();
    response.socket?.write('1\r\n \r\n'.repeat(1_000_000), () => response.destroy());
  },
  streamsEscapes: streamed('\\n'.repeat(LONG_CHARS / 4)),
  streamsPings: events({ type: 'ping' }, 150_000),
  streamsUsage: events({ type: 'message_delta', usage: manyNames }, 40),
  failsMidStream: streamOf([...started, piece('{"status":'), overloaded, piece('"done"}'), { type: 'message_stop' }]),
  streamsOutOfOrder: streamOf([{ type: 'message_stop' }, piece('{"status":'), ...started.toReversed()]),
  streamsTwice: streamOf([...started, ...started, piece('{'), piece('{'), { type: 'message_stop' }]),
  cutInCharacter: streamOf([...started, piece('汉')], { cut: true }),
  errorAsAnswer: rawBody(JSON.stringify(overloaded)),
  asksToWait: (response) => void response.writeHead(529, { 'retry-after': '99999999999999999999' }).end('null'),
  nothing: rawBody('null'),
} as const satisfies Record<string, Respond>;

/** The name of one of them. */
export type HostileModelBehaviour = keyof typeof hostileModel;
