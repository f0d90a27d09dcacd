/** A run of lines or words that were added, removed or unchanged. */
export interface DiffRun {
  change: 'same' | 'added' | 'removed';
  parts: string[];
}

/** Most pairs of parts that are compared. Beyond it, the differing middle counts as one change. */
const PAIRS_MAX = 4_000_000;

/** Lengths of the longest common subsequences of all suffixes of two lists. */
const commonLengths = (before: readonly string[], after: readonly string[]): Uint16Array[] => {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      rows[i]![j] = before[i] === after[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
  return rows;
};

/** The difference between two lists of parts. */
export const diffOf = (old: readonly string[], next: readonly string[]): DiffRun[] => {
  const runs: DiffRun[] = [];
  const put = (change: DiffRun['change'], part: string): void => {
    const last = runs.at(-1);
    if (last?.change === change) last.parts.push(part);
    else runs.push({ change, parts: [part] });
  };
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) put('same', next[start++]!);
  let kept = 0;
  const rest = Math.min(old.length, next.length) - start;
  while (kept < rest && old.at(-1 - kept) === next.at(-1 - kept)) kept += 1;
  const [from, to] = [old.slice(start, old.length - kept), next.slice(start, next.length - kept)];
  const lengths = from.length * to.length > PAIRS_MAX ? null : commonLengths(from, to);
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length)
    if (lengths !== null && i < from.length && from[i] === to[j]) {
      put('same', to[j++]!);
      i += 1;
    } else if (i < from.length && (j === to.length || lengths === null || lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      put('removed', from[i++]!);
    else put('added', to[j++]!);
  for (const part of next.slice(next.length - kept)) put('same', part);
  return runs;
};

/** The difference between two texts, line by line. */
export const lineDiff = (before: string, after: string): DiffRun[] => diffOf(before.split('\n'), after.split('\n'));
