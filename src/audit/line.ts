/**
 * A day's acts as lines, each chained to the one before it. The chain begins anew each day, with the day's name, so that a day can be checked
 * alone; its last chain is the day's root (docs/audit.md).
 */
import type { AuditLine, AuditRoot } from '../../contracts/audit.ts';
import { type Act, sha256 } from './act.ts';

/** True for the last line of a day. */
export const isRoot = (line: AuditLine): line is AuditRoot => 'root' in line && 'day' in line;

/** The hash of an act: of its members as JSON without white space, in their order. */
export const hashOf = (act: object): string => sha256(JSON.stringify(act));

export const nextChain = (before: string, hash: string): string => sha256(before + hash);

/** The chain that a day begins with; `day` such as 2026-11-29. */
export const firstChain = (day: string): string => sha256(day);

/** One act of a day's list: readable, or only its hash. */
export type ListedAct = Act | string;

/** The lines of a day. `isShown` says which acts are readable; the others are there as their hashes. */
export async function* linesOfDay(
  day: string,
  acts: AsyncIterable<ListedAct>,
  { isShown, isOpen }: { isShown(act: Act): boolean; isOpen: boolean },
): AsyncGenerator<AuditLine> {
  let chain = firstChain(day);
  let count = 0;
  yield { day, chain };
  for await (const act of acts) {
    const hash = typeof act === 'string' ? act : hashOf(act);
    chain = nextChain(chain, hash);
    count += 1;
    yield { ...(typeof act !== 'string' && isShown(act) && act), hash, chain };
  }
  yield { day, acts: count, root: chain, ...(isOpen && { open: true as const }) };
}
