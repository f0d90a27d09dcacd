import { text } from 'node:stream/consumers';
import { Agent, type Dispatcher } from 'undici';
import { NoAnswer } from './no-answer.ts';

/** Longest silence inside a response's body, in milliseconds: servers that work send at least a ping in this time. */
export const IDLE_MS_MAX = 30_000;

/** The part of a deadline after which silence is a stall: so that even under a short deadline there is a second try. */
const IDLE_PART = 1 / 4;

/** Longest silence inside a response under a deadline for the whole answer; both in milliseconds. */
export const idleMsUnder = (timeoutMs: number): number => Math.min(IDLE_MS_MAX, timeoutMs * IDLE_PART);

/** Longest response body, in bytes: many times what `ANSWER_TOKENS_MAX` tokens take, even as a stream of tiny events. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Longest event of a stream, in bytes: many times a piece of an answer, and few enough to be parsed at once. */
export const EVENT_BYTES_MAX = 256 * 1024;

type Body = Dispatcher.ResponseData['body'];

/** A body's chunks. Throws `NoAnswer` when none comes for `idleMs` milliseconds, or more than `BODY_BYTES_MAX` bytes come. */
async function* watch(body: Body, idleMs: number): AsyncGenerator<Uint8Array> {
  const silence = setTimeout(() => body.destroy(new NoAnswer((texts) => texts.stopped(idleMs))), idleMs);
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      silence.refresh();
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) throw new NoAnswer((texts) => texts.tooManyBytes(BODY_BYTES_MAX));
      yield chunk;
    }
  } finally {
    clearTimeout(silence);
  }
}

const LINE_FEED = 10;
const RETURN = 13;

/** The chunks of an event stream. Throws `NoAnswer` when one event, which an empty line ends, has more than `EVENT_BYTES_MAX` bytes. */
async function* withShortEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let event = 0;
  let line = 0;
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      event += 1;
      if (byte === LINE_FEED) {
        if (line === 0) event = 0;
        line = 0;
      } else if (byte !== RETURN) line += 1;
    }
    if (event > EVENT_BYTES_MAX) throw new NoAnswer((texts) => texts.eventTooLong(EVENT_BYTES_MAX));
    yield chunk;
  }
}

/** A response that is read as a whole, past the web streams that would cost as much as all the rest of a call. */
class WholeResponse extends Response {
  // Properties, for that is how they are typed.
  override readonly text: () => Promise<string>;
  override readonly json = async (): Promise<unknown> => JSON.parse(await this.text());

  constructor(chunks: AsyncIterable<Uint8Array>, init: ResponseInit) {
    super(null, init);
    this.text = () => text(chunks);
  }
}

/** Statuses whose responses have no body, which `Response` refuses to be given. */
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/**
 * A `fetch` for the SDK, on connections of its own that are kept alive: as many as there are calls at once. Breaks off a
 * response whose body is silent for `idleMs` milliseconds or endless; reading the body then throws. It never limits the wait for
 * the headers, which without streaming come when the whole answer is made: that is for `init.signal`. It follows no redirect,
 * and takes only what the SDK gives: an address, a string body, and `Headers`.
 */
export const createHttpFetch = (idleMs: number): typeof fetch => {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: init.headers as Headers,
      body: (init.body ?? null) as string | null,
      signal: init.signal ?? null,
    });
    const chunks = watch(body, idleMs);
    // A header that came more than once is written as one with commas, as `Headers` gives it anyway.
    const response = { status: statusCode, headers: headers as Record<string, string> };
    return headers['content-type']?.includes('text/event-stream') && !isBodiless(statusCode)
      ? new Response(ReadableStream.from(withShortEvents(chunks)), response)
      : new WholeResponse(chunks, response);
  };
};
