import type { Difference } from './difference.ts';
import { createTraceFold } from './trace.ts';

/** The result of a replay: all entries agree with the machine, or the first one that does not (SPEC 12). */
export type ReplayResult = { ok: true; entries: number } | Difference;

/** Folds a trace through the machine and compares it entry by entry (SPEC 12). Performs nothing. Throws `TRACE_NOT_READABLE`. */
export const replay = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  options: { gapless?: boolean } = {},
): Promise<ReplayResult> => {
  const trace = createTraceFold(options);
  for await (const line of lines) {
    const folded = trace.fold(line);
    if (!folded.ok) return folded;
  }
  return { ok: true, ...trace.end() };
};
