import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Difference } from './difference.ts';
import { createTraceFold, type TraceFoldOptions } from './trace-fold.ts';

/** Longest that entries are folded without letting other work in between, in milliseconds, and then a part of one. */
const SLICE_MS = 10;

/** What a replay found: all entries agree with the machine, or the first one that does not (SPEC 12). */
export type ReplayResult = { ok: true; entries: number } | Difference;

/**
 * Folds a trace through the machine and compares state, count and effects entry by entry (SPEC 12). Takes a whole session's
 * lines or one task's own, parsed from JSON. Performs nothing: no effect, no I/O; it lets other work of the process in
 * between the entries of a long trace and the parts of a long entry. Throws `TRACE_NOT_READABLE` for an
 * empty trace, a line that is no entry, and an unknown version.
 */
export const replay = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  options: TraceFoldOptions = {},
): Promise<ReplayResult> => {
  const trace = createTraceFold(options);
  let sliceBegan = performance.now();
  const letOthersOn = async (): Promise<void> => {
    await nextTurn();
    sliceBegan = performance.now();
  };
  const isOver = (): boolean => performance.now() - sliceBegan > SLICE_MS;
  for await (const line of lines) {
    if (isOver()) await letOthersOn();
    const parts = trace.foldInParts(line);
    let part = parts.next();
    for (; part.done !== true; part = parts.next()) if (isOver()) await letOthersOn();
    if (!part.value.ok) return part.value;
    // The next line is parsed before it comes.
    if (isOver()) await letOthersOn();
  }
  return { ok: true, ...trace.end() };
};
