import type { TaskView } from '../../../contracts/turn-view.ts';

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
