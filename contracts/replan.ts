import { z } from 'zod';
import { PLAN_ITEMS_READ_MAX, RESPONSE_CHARS_MAX } from './limits.ts';
import { PlanItemAnswer } from './plan.ts';
import { blankAsNull, nullIfEmpty } from './text.ts';

/** The replan contract: the work still to do, or the answer that ends the task (SPEC 5). */
export const ReplanAnswer = z
  .object({
    status: z.enum(['replanned', 'done']),
    plan: blankAsNull(z.array(PlanItemAnswer).max(PLAN_ITEMS_READ_MAX)).transform((plan) => plan ?? []),
    response: nullIfEmpty(z.string().max(RESPONSE_CHARS_MAX)),
  })
  .superRefine((replan, ctx) => {
    if (replan.status === 'replanned' && replan.plan.length === 0)
      ctx.addIssue({ code: 'custom', path: ['plan'], message: 'status "replanned" requires a non-empty plan' });
    if (replan.status === 'done' && replan.response === null)
      ctx.addIssue({ code: 'custom', path: ['response'], message: 'status "done" requires a response' });
  });
export type ReplanAnswer = z.infer<typeof ReplanAnswer>;
