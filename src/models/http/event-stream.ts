import type { Readable } from 'node:stream';
import { MODEL_RESPONSE_BYTES_MAX } from '../../../contracts/limits.ts';
import { bytePieces } from '../../byte-pieces.ts';
import { EVENT_BYTES_MAX } from './limits.ts';
import { NoAnswer } from './no-answer.ts';

/** A body's chunks. Throws `NoAnswer` when none comes for `idleMs` milliseconds, or more than `MODEL_RESPONSE_BYTES_MAX` bytes come. */
async function* watch(body: Readable, idleMs: number): AsyncGenerator<Uint8Array> {
  const silence = setTimeout(() => body.destroy(new NoAnswer((texts) => texts.stopped(idleMs))), idleMs);
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      silence.refresh();
      bytes += chunk.byteLength;
      if (bytes > MODEL_RESPONSE_BYTES_MAX) throw new NoAnswer((texts) => texts.tooManyBytes(MODEL_RESPONSE_BYTES_MAX));
      yield chunk;
    }
  } finally {
    clearTimeout(silence);
  }
}

/** Bytes of a stream that are read in one turn of the event loop: a hundred tiny events at most. */
const PIECE_BYTES = 4_096;

const LINE_FEED = 10;
const RETURN = 13;

/**
 * The bytes of an event stream, watched, some events in each turn of the event loop. Throws `NoAnswer` when none comes for `idleMs` milliseconds, when more than `MODEL_RESPONSE_BYTES_MAX` bytes
 * come, or when one event, which an empty line ends, has more than `EVENT_BYTES_MAX`.
 */
export async function* watchStream(body: Readable, idleMs: number): AsyncGenerator<Uint8Array> {
  let event = 0;
  let line = 0;
  for await (const chunk of watch(body, idleMs)) {
    for (const byte of chunk) {
      event += 1;
      if (byte === LINE_FEED) {
        if (line === 0) event = 0;
        line = 0;
      } else if (byte !== RETURN) line += 1;
    }
    if (event > EVENT_BYTES_MAX) throw new NoAnswer((texts) => texts.eventTooLong(EVENT_BYTES_MAX));
    yield* bytePieces(chunk, PIECE_BYTES);
  }
}
