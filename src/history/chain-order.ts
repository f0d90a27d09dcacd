import type { TraceEntry } from '../../contracts/trace.ts';
import { chainOf, type Sha256 } from './chain.ts';
import { type Difference, difference } from './difference.ts';

/** A line without its chain, which is its last member unless somebody has moved it. */
const textOf = (line: object, chain: string | undefined): string => {
  const text = JSON.stringify(line);
  const last = `,"chain":"${chain}"}`;
  if (text.endsWith(last)) return `${text.slice(0, -last.length)}}`;
  const { chain: _, ...chained } = line as { chain?: unknown };
  return JSON.stringify(chained);
};

/**
 * Compares the chain of each line with its text and the previous chain. Entries of older versions have no chain; in a
 * session, every entry after a chained one has one. `line` is the entry as it was written, with all members in order.
 */
export const chainOrder = (sha256: Sha256) => {
  /** The last chain of each task, and of each session's own events. */
  const chains = new Map<string, string>();
  const chainedSessions = new Set<string>();
  let unchained = 0;
  return {
    check: ({ seq, session_id, task_id, chain }: TraceEntry, line: object): Difference | null => {
      if (chain === undefined && !chainedSessions.has(session_id)) {
        unchained += 1;
        return null;
      }
      chainedSessions.add(session_id);
      const of = task_id ?? `session ${session_id}`;
      const expected = chainOf(sha256, chains.get(of) ?? null, textOf(line, chain));
      chains.set(of, expected);
      return chain === expected ? null : difference(seq, 'chain', expected, chain ?? null);
    },
    /** The number of entries without a chain, which older versions wrote. */
    unchained: (): number => unchained,
  };
};
