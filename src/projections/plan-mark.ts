import type { PlanItemStatus } from '../../contracts/plan.ts';

const MARKS: Record<PlanItemStatus, string> = {
  not_started: '[ ]',
  in_progress: '[→]',
  completed: '[✓]',
  blocked: '[!]',
  dropped: '[!]',
};

/** A plan item's mark for people (SPEC 10, planning flow). */
export const planMark = (status: PlanItemStatus): string => MARKS[status];
