import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';

/** A plan as one entry made it. */
export interface PlanVersion {
  entry: TraceEntry;
  /** The position of its entry in the trace. */
  index: number;
  /** The number of replans up to and including it. */
  replans: number;
}

/** The versions of a task's plan. A replan that ends the task makes none. */
export const planVersions = (entries: readonly TraceEntry[]): PlanVersion[] => {
  let replans = 0;
  return entries.flatMap((entry, index) => {
    const { event } = entry;
    const isReplan = event.type === 'replan.made' && event.status !== 'done';
    if (isReplan) replans += 1;
    return isReplan || event.type === 'plan.made' || event.type === 'plan.edited' ? [{ entry, index, replans }] : [];
  });
};

/** A changed item of a plan. */
interface PlanDifference {
  step: string;
  change: 'kept' | 'added' | 'removed';
}

type Items = TaskView['plan'];

/** The unfinished steps. */
const leftIn = (plan: Items): string[] =>
  plan.flatMap(({ status, step }) => (status === 'not_started' || status === 'in_progress' ? [step] : []));

/** The unfinished items after a change, in order, and then those that were dropped. Omits ended items. */
export const planDifferences = (before: Items, after: Items): PlanDifference[] => {
  const remaining = leftIn(before);
  const left = leftIn(after).map((step): PlanDifference => {
    const place = remaining.indexOf(step);
    if (place >= 0) remaining.splice(place, 1);
    return { step, change: place >= 0 ? 'kept' : 'added' };
  });
  const hasEnded = (step: string): boolean =>
    after.some((item) => item.step === step && (item.status === 'completed' || item.status === 'blocked'));
  const removed = remaining.filter((step) => !hasEnded(step));
  return [...left, ...removed.map((step): PlanDifference => ({ step, change: 'removed' }))];
};
