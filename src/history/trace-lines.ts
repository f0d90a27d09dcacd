import { ServiceError } from '../lib/errors.ts';
import { parseNdjson, type TextChunks } from './parse-ndjson.ts';
import { isPageStart, linesOfPage, type PageFault } from './saved-page.ts';

/** The part of a file that shows whether it is a page, in bytes. */
const HEAD_BYTES = 256;

const REFUSED: Record<PageFault, string> = {
  without_trace: 'The page contains no trace: it is none that a task of the console was saved as',
  cut: 'The page ends in the middle of its trace; save it again',
};

const bytesOf = (chunk: string | Uint8Array): Uint8Array =>
  typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;

/** The chunks as bytes, the first of them at least as long as the part that shows the type. */
async function* withHead(chunks: TextChunks): AsyncGenerator<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = bytesOf(chunk);
    if (head.length >= HEAD_BYTES) yield bytes;
    else {
      head = Buffer.concat([head, bytes]);
      if (head.length >= HEAD_BYTES) yield head;
    }
  }
  if (head.length < HEAD_BYTES) yield head;
}

async function* after(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/**
 * The lines of a trace as parsed, unchecked JSON: of NDJSON, or of a page that a task was saved as in the console. Throws
 * `TRACE_NOT_READABLE` for anything else.
 */
export async function* traceLines(chunks: TextChunks): AsyncGenerator<unknown, void, undefined> {
  const pieces = withHead(chunks);
  const { value: first = new Uint8Array() } = await pieces.next();
  const whole = after(first, pieces);
  const isPage = isPageStart(new TextDecoder().decode(first.subarray(0, HEAD_BYTES)));
  const lines = isPage ? linesOfPage(whole, (why) => new ServiceError('TRACE_NOT_READABLE', REFUSED[why])) : whole;
  yield* parseNdjson(lines);
}
