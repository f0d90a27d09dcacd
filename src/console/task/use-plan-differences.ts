import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { inSlices } from '../history/slices.ts';
import type { TaskHistory } from '../history/task-history.ts';
import { type PlanDifference, planDifferences } from './plan-differences.ts';
import type { PlanVersion } from './plan-versions.ts';

/**
 * What each of the versions changed against the one before, by their seq, as far as the history is folded. Worked out in slices, the ones that
 * are asked for alone, and each once: for every one the machine goes through some entries.
 */
export const usePlanDifferences = (
  { fold }: TaskHistory,
  versions: readonly PlanVersion[],
): ReadonlyMap<number, readonly PlanDifference[]> => {
  const known = useMemo(() => new Map<number, readonly PlanDifference[]>(), [fold]);
  const count = useSignal(0);
  const folded = fold.value?.folded.value ?? 0;
  const missing = versions.filter(({ seq, index }) => index < folded && !known.has(seq));
  useEffect(() => {
    let isOver = false;
    void inSlices(() => {
      const version = missing.shift();
      const by = fold.peek();
      if (isOver || version === undefined || by === null) return false;
      const { seq, index } = version;
      const before = index === 0 ? [] : (by.viewAt(index - 1)?.plan ?? []);
      known.set(seq, planDifferences(before, by.viewAt(index)?.plan ?? []));
      count.value = known.size;
      return true;
    });
    return () => {
      isOver = true;
    };
  }, [known, missing.map(({ seq }) => seq).join()]);
  // The component is drawn again as they come.
  void count.value;
  return known;
};
