import { ReadableStream } from 'node:stream/web';
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import { NoAnswer } from './verdict.ts';

/** Longest response of a model's provider, in bytes: several times the longest answer. */
const MODEL_RESPONSE_BYTES_MAX = 1024 * 1024;

/** The limit for a stream, whose events take a hundred bytes a word. Nothing of it is retained. */
const STREAM_BYTES_MAX = 16 * MODEL_RESPONSE_BYTES_MAX;

/** The media type of a stream. A response with it is passed on as it arrives. */
export const EVENT_STREAM = 'text/event-stream';

/** Longest silence within a response body, in milliseconds: working servers send at least a ping in this time. */
export const IDLE_MS_MAX = 30_000;

/**
 * The share of a deadline after which silence counts as a stall, so that even a short deadline allows a second attempt.
 */
const IDLE_PART = 1 / 4;

/** Longest silence within a response under a deadline for the whole answer; both in milliseconds. */
export const idleMsUnder = (timeoutMs: number): number => Math.min(IDLE_MS_MAX, timeoutMs * IDLE_PART);

const brokenBody = (cause: unknown, idleMs: number, bytesMax: number): NoAnswer => {
  const { code } = cause as { code?: unknown };
  if (code === 'UND_ERR_BODY_TIMEOUT') return new NoAnswer(`the answer stopped coming for ${idleMs} ms`);
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new NoAnswer(`the answer is longer than ${bytesMax} bytes`);
  return new NoAnswer('the answer broke off on its way', { cause });
};

async function* piecesOf(stream: AsyncIterable<Uint8Array>, idleMs: number): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw brokenBody(cause, idleMs, STREAM_BYTES_MAX);
  }
}

/**
 * Makes a `fetch` for SDKs that returns complete responses, limited to 1 MiB and to `idleMs` of silence; an event
 * stream that was requested is passed on as it arrives. Never follows redirects, which would take the key along.
 */
export const createLimitedFetch = (idleMs: number): typeof fetch => {
  const agentOf = (maxResponseSize: number) => {
    const limits = { bodyTimeout: idleMs, headersTimeout: 0, maxResponseSize };
    return process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(limits) : new Agent(limits);
  };
  const whole = agentOf(MODEL_RESPONSE_BYTES_MAX);
  const streaming = agentOf(STREAM_BYTES_MAX);
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const isStreamAsked = new Headers(headers).get('accept') === EVENT_STREAM;
    const options = { dispatcher: isStreamAsked ? streaming : whole, method, headers, body, signal } as Parameters<
      typeof request
    >[1];
    const { statusCode: status, headers: received, body: stream } = await request(String(input), options);
    const init = { status, headers: received as Record<string, string> };
    const isOk = status < 300;
    if (isOk && isStreamAsked && String(received['content-type']).startsWith(EVENT_STREAM))
      return new Response(
        ReadableStream.from(piecesOf(stream, idleMs)) as unknown as ConstructorParameters<typeof Response>[0],
        init,
      );
    // An error body that breaks off counts as empty: the status says enough.
    const text = await stream.text().catch((cause: unknown) => {
      if (isOk) throw brokenBody(cause, idleMs, MODEL_RESPONSE_BYTES_MAX);
      return '';
    });
    return new Response(text || null, init);
  };
};
