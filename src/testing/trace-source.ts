import { createReadStream } from 'node:fs';
import { traceLines } from '../history/trace-lines.ts';

/**
 * A trace in any form: its entries, its NDJSON (a string that begins with `{`), a page that a task was saved as in the
 * console (a string that begins with `<`), or the file that contains either (any other string is a path; a `file:` URL, such as `new URL('trip.ndjson', import.meta.url)`, also names a file).
 */
export type TraceSource = string | URL | Iterable<unknown> | AsyncIterable<unknown>;

/**
 * A trace's lines as parsed, unchecked JSON. Throws `TRACE_NOT_READABLE` for text that is no trace, and errors of
 * reading a file.
 */
export const linesOf = (trace: TraceSource): Iterable<unknown> | AsyncIterable<unknown> => {
  if (trace instanceof URL) return traceLines(createReadStream(trace));
  if (typeof trace !== 'string') return trace;
  return traceLines(/^\s*[{<]/.test(trace) ? [trace] : createReadStream(trace));
};
