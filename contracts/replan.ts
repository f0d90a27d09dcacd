import { z } from 'zod';
import { PLAN_ITEMS_READ_MAX, RESPONSE_CHARS_MAX } from './limits.ts';
import { PlanItemAnswer } from './plan.ts';
import { rule } from './rule.ts';
import { blankAsAbsent, blankAsNull, nullIfEmpty } from './text.ts';

export const ReplanStatus = z.enum(['replanned', 'done']);

/** How a task ended: `failed` when it was given up (SPEC 1, 5). */
export const TaskOutcome = z.enum(['completed', 'failed']);
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** The replan contract: the work still to do, or the answer that ends the task (SPEC 5). */
export const ReplanAnswer = z
  .object({
    status: ReplanStatus,
    plan: blankAsNull(z.array(PlanItemAnswer).max(PLAN_ITEMS_READ_MAX)).transform((plan) => plan ?? []),
    response: nullIfEmpty(z.string().max(RESPONSE_CHARS_MAX)),
    /** Optional, and read with `done` only: what it says beside "replanned" is dropped. */
    outcome: blankAsAbsent(TaskOutcome),
  })
  .superRefine((replan, ctx) => {
    if (replan.status === 'replanned' && replan.plan.length === 0)
      ctx.addIssue({ code: 'custom', path: ['plan'], ...rule('replannedRequiresPlan') });
    if (replan.status === 'done' && replan.response === null)
      ctx.addIssue({ code: 'custom', path: ['response'], ...rule('doneRequiresResponse') });
  })
  .transform(({ outcome, ...replan }): typeof replan & { outcome?: TaskOutcome } =>
    outcome === undefined || replan.status !== 'done' ? replan : { ...replan, outcome },
  );
export type ReplanAnswer = z.infer<typeof ReplanAnswer>;
