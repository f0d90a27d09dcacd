import type { Middleware } from '@anthropic-ai/sdk';
import { NoAnswer } from './no-answer.ts';

/** Longest silence inside a response's body, in milliseconds: servers that work send at least a ping in this time. */
export const IDLE_MS_MAX = 30_000;

/** Longest response body, in bytes: many times what `ANSWER_TOKENS_MAX` tokens take, even as a stream of tiny events. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;

/**
 * An SDK middleware that breaks off a response whose body is silent for `idleMs` milliseconds or endless; reading the body then throws.
 * It never limits the wait for the headers: without streaming they come when the whole answer is made.
 */
export const stallGuard =
  (idleMs: number): Middleware =>
  async (request, next) => {
    const response = await next(request);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(watch(idleMs)), { status, statusText, headers });
  };

function watch(idleMs: number): TransformStream<Uint8Array, Uint8Array> {
  let timer: NodeJS.Timeout;
  let bytes = 0;
  return new TransformStream({
    start(body) {
      timer = setTimeout(() => body.error(new NoAnswer(`the answer stopped coming for ${idleMs} ms`)), idleMs);
    },
    transform(chunk, body) {
      timer.refresh();
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) throw new NoAnswer(`the answer is longer than ${BODY_BYTES_MAX} bytes`);
      body.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
    cancel: () => clearTimeout(timer),
  });
}
