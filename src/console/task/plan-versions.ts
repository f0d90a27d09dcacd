import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { isRestOf, wordsOf } from '../history/plan-words.ts';

/** A change of a plan: a replan, or an edit by a person. */
export interface PlanVersion {
  entry: TraceEntry;
  /** The position of its entry in the trace. */
  index: number;
  /** The number of replans up to and including it. */
  replans: number;
}

/** The changes of a task's plan. A replan that ends the task, or leaves the rest as it was, is none. */
export const planVersions = (entries: readonly TraceEntry[]): PlanVersion[] => {
  let replans = 0;
  let planned: readonly string[] = [];
  return entries.flatMap((entry, index) => {
    const { event } = entry;
    if (event.type === 'plan.edited') return [{ entry, index, replans }];
    const isReplan = event.type === 'replan.made' && event.status !== 'done';
    if (!isReplan && event.type !== 'plan.made') return [];
    const before = planned;
    planned = wordsOf(event.plan);
    if (isReplan) replans += 1;
    return isReplan && !isRestOf(before, planned) ? [{ entry, index, replans }] : [];
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
