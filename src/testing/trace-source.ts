import { createReadStream } from 'node:fs';
import { parseNdjson } from '../engine/replay/parse-ndjson.ts';

/**
 * A trace, however it is at hand: its entries, its NDJSON (a string that begins with `{`), or the file it is in (any other string
 * is a path; a `file:` URL, such as `new URL('trip.ndjson', import.meta.url)`, stands for its file too).
 */
export type TraceSource = string | URL | Iterable<unknown> | AsyncIterable<unknown>;

/** A trace's lines as parsed JSON, unchecked. Throws `TRACE_NOT_READABLE` for text that is no NDJSON, and what reading a file throws. */
export const linesOf = (trace: TraceSource): Iterable<unknown> | AsyncIterable<unknown> => {
  if (trace instanceof URL) return parseNdjson(createReadStream(trace));
  if (typeof trace !== 'string') return trace;
  return parseNdjson(trace.trimStart().startsWith('{') ? [trace] : createReadStream(trace));
};
