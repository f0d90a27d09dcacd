import { ServiceError } from '../lib/errors.ts';

/** Text or UTF-8 in chunks of any size: a request's body, a file, or lines. */
export type TextChunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

const parseLine = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(
      'TRACE_NOT_READABLE',
      `Line ${line} of the trace is not readable: it is not a complete JSON value`,
    );
  }
};

/**
 * The JSON values of `application/x-ndjson`, one a line. Buffers at most one chunk and one line. Throws
 * `TRACE_NOT_READABLE` with the line's number.
 */
export async function* parseNdjson(chunks: TextChunks): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 1;
  const take = function* (text: string): Generator<unknown> {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const each of lines) {
      const whole = each.trim();
      if (whole !== '') yield parseLine(whole, line);
      line += 1;
    }
  };
  for await (const chunk of chunks)
    yield* take(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  yield* take(`${decoder.decode()}\n`);
}
