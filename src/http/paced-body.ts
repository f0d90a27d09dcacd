import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { bytePieces } from '../byte-pieces.ts';
import { ServiceError } from '../lib/errors.ts';
import type { HttpLimits } from './http-limits.ts';

/** What one body may be, and how long it may take. */
export interface Pace extends Pick<HttpLimits, 'bodyStartMs' | 'bodyBytesPerSecondMin'> {
  bytesMax: number;
}

/** Bytes that are handed on in one turn of the event loop: as many lines at most. */
const PIECE_BYTES = 8_192;

/** What the promise gives; rejects with `REQUEST_TIMEOUT` after so many milliseconds. */
const within = async <Value>(promise: Promise<Value>, ms: number): Promise<Value> => {
  const done = new AbortController();
  const late = wait(Math.max(0, ms), undefined, { signal: done.signal }).then(() => {
    throw new ServiceError('REQUEST_TIMEOUT', 'The body comes in too slowly; send it over a faster connection');
  });
  // The one that comes second is not waited for.
  for (const either of [promise, late]) either.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    done.abort();
  }
};

/**
 * A streamed body as it comes in, a piece in each turn of the event loop. Throws `INPUT_TOO_LARGE` beyond its limit, and `REQUEST_TIMEOUT` for a sender that keeps its place for longer than its
 * bytes are worth; time that the reader takes counts for nothing. Leaves the connection open for the reply.
 */
export async function* pacedBody(body: Readable, pace: Pace): AsyncGenerator<Uint8Array> {
  const chunks = body.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const askedAt = performance.now();
      const allowedMs = pace.bodyStartMs + (bytes / pace.bodyBytesPerSecondMin) * 1_000;
      const { value: chunk, done } = await within<IteratorResult<Buffer>>(chunks.next(), allowedMs - waitedMs);
      if (done === true) return;
      waitedMs += performance.now() - askedAt;
      bytes += chunk.length;
      if (bytes > pace.bytesMax)
        throw new ServiceError('INPUT_TOO_LARGE', `A trace to replay has at most ${pace.bytesMax} bytes`);
      yield* bytePieces(chunk, PIECE_BYTES);
    }
  } finally {
    // Not waited for: a read that is under way ends first, and a silent sender never ends it.
    chunks.return?.().catch(() => {});
  }
}
