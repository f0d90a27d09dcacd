import type { Difference } from './seq-order.ts';
import { createTraceFold, type TraceFoldOptions } from './trace-fold.ts';

/** The result of a replay: all entries agree with the machine, or the first one that does not (SPEC 12). */
export type ReplayResult = { ok: true; entries: number } | Difference;

/**
 * Folds a trace through the machine and compares state, count and effects entry by entry (SPEC 12). Takes a whole session's
 * lines or one task's own, parsed from JSON. Performs nothing: no effect, no I/O. Throws `TRACE_NOT_READABLE` for an
 * empty trace, a line that is no entry, and an unknown version.
 */
export const replay = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  options: TraceFoldOptions = {},
): Promise<ReplayResult> => {
  const trace = createTraceFold(options);
  for await (const line of lines) {
    const folded = trace.fold(line);
    if (!folded.ok) return folded;
  }
  return { ok: true, ...trace.end() };
};
