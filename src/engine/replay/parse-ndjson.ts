import { ServiceError } from '../../lib/errors.ts';

/** Longest line read, in characters: above the longest entry that the contracts allow, a plan of 200 items at full length. */
export const LINE_CHARS_MAX = 2 * 1024 * 1024;

/** Text or UTF-8 in pieces of any size: a request's body, a file, or lines. */
export type TextChunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

const notReadable = (line: number, why: string): ServiceError =>
  new ServiceError('TRACE_NOT_READABLE', `Line ${line} of the trace is not readable: ${why}`);

const parseLine = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw notReadable(line, 'it is not one whole JSON value');
  }
};

/**
 * The JSON values of `application/x-ndjson`, one a line, as they come in; blank lines are skipped. Never buffers more than
 * one piece and one line. Throws `TRACE_NOT_READABLE` with the line's number for what is not JSON, not UTF-8 or too long.
 */
export async function* parseNdjson(chunks: TextChunks): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw notReadable(line, 'it is not UTF-8');
    }
  };
  let rest = '';
  let line = 1;
  const take = function* (text: string): Generator<unknown> {
    const lines = `${rest}${text}`.split('\n');
    if (lines.some(({ length }) => length > LINE_CHARS_MAX))
      throw notReadable(line, `it is longer than ${LINE_CHARS_MAX} characters`);
    rest = lines.pop() ?? '';
    for (const each of lines) {
      const whole = each.trim();
      if (whole !== '') yield parseLine(whole, line);
      line += 1;
    }
  };
  for await (const chunk of chunks) yield* take(typeof chunk === 'string' ? chunk : decode(chunk));
  yield* take(`${decode(undefined)}\n`);
}
