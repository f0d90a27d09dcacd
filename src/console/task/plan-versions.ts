import type { TraceEntry } from '../../../contracts/trace.ts';

/** A plan as one entry made it. */
export interface PlanVersion {
  seq: number;
  at: string;
  by: 'plan' | 'replan' | 'edit';
  /** The place of its entry in the trace. */
  index: number;
}

const kinds: Record<string, PlanVersion['by']> = {
  'plan.made': 'plan',
  'replan.made': 'replan',
  'plan.edited': 'edit',
};

/** The versions of a task's plan as far as its trace is here, which grow with it: each entry is read once. A replan that ends the task makes none. */
export const createPlanVersions = (entries: readonly TraceEntry[]): (() => readonly PlanVersion[]) => {
  const versions: PlanVersion[] = [];
  let read = 0;
  return () => {
    for (; read < entries.length; read++) {
      const { event, seq, at } = entries[read]!;
      const by = kinds[event.type];
      if (by === undefined || (event.type === 'replan.made' && event.status === 'done')) continue;
      versions.push({ seq, at, by, index: read });
    }
    return versions;
  };
};

/** Most versions that are drawn at once: a task may replan thousands of times. */
export const VERSIONS_SHOWN = 10;

/**
 * The first version that is drawn. The newest are where `first` is null; `looked` is the entry that is looked at (null: the newest), whose
 * version is drawn too.
 */
export const firstShown = (versions: readonly PlanVersion[], first: number | null, looked: number | null): number => {
  const last = Math.max(0, versions.length - VERSIONS_SHOWN);
  const start = Math.min(first ?? last, last);
  if (looked === null) return start;
  const chosen = Math.max(
    0,
    versions.findLastIndex(({ seq }) => seq <= looked),
  );
  const isDrawn = chosen >= start && chosen < start + VERSIONS_SHOWN;
  return isDrawn ? start : Math.min(last, Math.max(0, chosen - VERSIONS_SHOWN / 2));
};
