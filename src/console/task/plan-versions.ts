import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';

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

/** One item of a plan that was changed. */
export interface PlanDifference {
  step: string;
  change: 'kept' | 'added' | 'removed';
}

type Items = TaskView['plan'];

const ENDED = new Set(['completed', 'blocked', 'dropped']);

/** The steps that are still to be done. */
const leftIn = (plan: Items): string[] => plan.filter(({ status }) => !ENDED.has(status)).map(({ step }) => step);

/** The items left to do after a change, in order, and then those taken out. Ended items stay out of it. */
export const planDifferences = (before: Items, after: Items): PlanDifference[] => {
  const old = leftIn(before);
  const next = leftIn(after);
  const ended = new Set(
    after.filter(({ status }) => status === 'completed' || status === 'blocked').map(({ step }) => step),
  );
  const remaining = [...old];
  const kept = next.map((step): PlanDifference => {
    const place = remaining.indexOf(step);
    if (place >= 0) remaining.splice(place, 1);
    return { step, change: place >= 0 ? 'kept' : 'added' };
  });
  const removed = remaining.filter((step) => !ended.has(step));
  return [...kept, ...removed.map((step): PlanDifference => ({ step, change: 'removed' }))];
};
