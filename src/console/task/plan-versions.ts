import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';

/** A plan as one entry made it. */
export interface PlanVersion {
  entry: TraceEntry;
  /** The place of its entry in the trace. */
  index: number;
  /** How many replans there were, that one included. */
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

/** One item of a plan that was changed. */
interface PlanDifference {
  step: string;
  change: 'kept' | 'added' | 'removed';
}

type Items = TaskView['plan'];

/** The steps that are still to be done. */
const leftIn = (plan: Items): string[] =>
  plan.flatMap(({ status, step }) => (status === 'not_started' || status === 'in_progress' ? [step] : []));

/** The items left to do after a change, in order, and then those taken out. Ended items stay out of it. */
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
