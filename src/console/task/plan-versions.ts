import type { TaskHistory } from '../history/task-history.ts';
import { type PlanDifference, planDifferences } from './plan-differences.ts';

/** A plan as one entry made it, against the one before. */
export interface PlanVersion {
  seq: number;
  at: string;
  by: 'plan' | 'replan' | 'edit';
  differences: PlanDifference[];
}

const kinds: Record<string, PlanVersion['by']> = {
  'plan.made': 'plan',
  'replan.made': 'replan',
  'plan.edited': 'edit',
};

/** Reads the versions of a task's plan as far as its history is folded; each is worked out once. A replan that ends the task makes none. */
export const createPlanVersions = ({ trace, fold }: TaskHistory): (() => readonly PlanVersion[]) => {
  const versions: PlanVersion[] = [];
  let read = 0;
  return () => {
    const { value: folded } = fold;
    const end = Math.min(trace.count.value, folded?.folded.value ?? 0);
    for (; folded !== null && read < end; read++) {
      const entry = trace.entries[read];
      const by = kinds[entry?.event.type ?? ''];
      if (entry === undefined || by === undefined) continue;
      if (entry.event.type === 'replan.made' && entry.event.status === 'done') continue;
      const before = read === 0 ? [] : (folded.viewAt(read - 1)?.plan ?? []);
      const after = folded.viewAt(read)?.plan ?? [];
      versions.push({ seq: entry.seq, at: entry.at, by, differences: planDifferences(before, after) });
    }
    return versions;
  };
};

/** True where a trace has more than its first plan. */
export const hasReplans = ({ trace }: TaskHistory): boolean => {
  void trace.count.value;
  return trace.entries.some(
    ({ event }) => event.type === 'plan.edited' || (event.type === 'replan.made' && event.status === 'replanned'),
  );
};
