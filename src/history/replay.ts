import { hash } from 'node:crypto';
import type { Difference } from './difference.ts';
import { difference } from './difference.ts';
import { createTraceFold } from './trace.ts';

/**
 * The result of a replay: all entries agree with the machine and their chain, or the first one that does not (SPEC
 * 12). `unchained`: the number of entries of older versions, which no chain protects; absent: none.
 */
export type ReplayResult = { ok: true; entries: number; unchained?: number } | Difference;

/** Further requirements on a trace. */
export interface ReplayOptions {
  /** The lines are a whole session: every gap in `seq` is a missing line. */
  readonly gapless?: boolean;
  /**
   * Chains that were noted when the trace was made: each must be in an entry. Without one, a trace that was rewritten
   * from some entry on, or cut short, is still consistent with itself.
   */
  readonly roots?: readonly string[];
}

/** Folds a trace through the machine and compares it entry by entry, with its chain (SPEC 12). Performs nothing. Throws `TRACE_NOT_READABLE`. */
export const replay = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  { roots = [], ...options }: ReplayOptions = {},
): Promise<ReplayResult> => {
  const trace = createTraceFold((text) => hash('sha256', text), options);
  const missing = new Set(roots);
  let seq = 0;
  for await (const line of lines) {
    const folded = trace.fold(line);
    if (!folded.ok) return folded;
    seq = folded.entry.seq;
    missing.delete(folded.entry.chain ?? '');
  }
  const result = trace.end();
  const [root] = missing;
  return root === undefined ? { ok: true, ...result } : difference(seq, 'root', root, 'no entry with that chain');
};
