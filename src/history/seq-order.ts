import type { TraceEntry } from '../../contracts/trace.ts';
import { type Difference, difference } from './difference.ts';

interface SessionSeqs {
  last: number;
  /** The only task seen so far; null once the lines are known to be a whole session's. */
  only_task: string | null;
  /** The first and the latest gap: a difference once the lines are known to be a whole session's. */
  firstJump: Difference | null;
  latestJump: { from: number; to: number } | null;
}

const jumped = (expected: number, { seq }: TraceEntry): Difference => difference(seq, 'seq', expected, seq);

/**
 * Checks `seq` line by line (SPEC 12). In a whole session, shown by `gapless`, a second task or a session's event, it
 * has no gaps and starts at 1; in one task's own trace it only increases.
 */
export const seqOrder = (gapless: boolean): ((entry: TraceEntry) => Difference | null) => {
  const sessions = new Map<string, SessionSeqs>();
  return (entry) => {
    const { seq, session_id, task_id } = entry;
    const known = sessions.get(session_id);
    const seqs = known ?? { last: 0, only_task: gapless ? null : task_id, firstJump: null, latestJump: null };
    if (seq <= seqs.last) {
      const jump = seqs.latestJump;
      const fillsJump = jump !== null && jump.from <= seq && seq < jump.to;
      return fillsJump ? difference(jump.to, 'seq', jump.from, jump.to) : jumped(seqs.last + 1, entry);
    }
    if (seq > seqs.last + 1) {
      seqs.firstJump ??= jumped(seqs.last + 1, entry);
      seqs.latestJump = { from: seqs.last + 1, to: seq };
    }
    seqs.last = seq;
    if (seqs.only_task !== task_id) seqs.only_task = null;
    sessions.set(session_id, seqs);
    return seqs.only_task === null ? seqs.firstJump : null;
  };
};
