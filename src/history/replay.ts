import { hash } from 'node:crypto';
import type { SkillHashes } from '../../contracts/skill.ts';
import { changedSkills } from './changed-skills.ts';
import type { Difference } from './difference.ts';
import { difference } from './difference.ts';
import { createTraceFold } from './trace.ts';
import { traceEntries } from './trace-entries.ts';

/**
 * The result of a replay: all entries agree with the machine and their chain, or the first one that does not (SPEC
 * 12). `unchained`: the number of entries of older versions, which no chain protects; `skills_changed`: the names of
 * skills that are others now than when a task of the trace opened. Absent: none.
 */
export type ReplayResult = { ok: true; entries: number; unchained?: number; skills_changed?: string[] } | Difference;

/** Further requirements on a trace. */
export interface ReplayOptions {
  /** The lines are a whole session: every gap in `seq` is a missing line. */
  readonly gapless?: boolean;
  /**
   * Chains that were noted when the trace was made: each must be in an entry. Without one, a trace that was rewritten
   * from some entry on, or cut short, is still consistent with itself.
   */
  readonly roots?: readonly string[];
  /** The skills as they are now; absent: nothing is said of them. */
  readonly skills?: SkillHashes;
}

/** Folds a trace through the machine and compares it entry by entry, with its chain (SPEC 12). Feedback is left out. Performs nothing. Throws `TRACE_NOT_READABLE`. */
export const replay = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  { roots = [], skills, ...options }: ReplayOptions = {},
): Promise<ReplayResult> => {
  const trace = createTraceFold((text) => hash('sha256', text), options);
  const missing = new Set(roots);
  const changed = new Set<string>();
  let seq = 0;
  for await (const line of traceEntries(lines)) {
    const folded = trace.fold(line);
    if (!folded.ok) return folded;
    seq = folded.entry.seq;
    missing.delete(folded.entry.chain ?? '');
    const { event } = folded.entry;
    if (skills !== undefined && event.type === 'task.opened')
      for (const name of changedSkills(event.skills, skills)) changed.add(name);
  }
  const result = trace.end();
  const [root] = missing;
  if (root === undefined) return { ok: true, ...result, ...(changed.size > 0 && { skills_changed: [...changed] }) };
  return difference(seq, 'root', root, 'no entry with that chain');
};
