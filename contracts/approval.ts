import { z } from 'zod';
import { NextAction } from './thought.ts';

/** A person's decision about the action that waits for it (SPEC 3, approval). `edit` runs its input in place of the thought's. */
export const ApprovalDecision = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approve'), reason: z.string().optional() }),
  /** Also asks no more for this tool in this task. */
  z.object({ type: z.literal('approve_always'), reason: z.string().optional() }),
  z.object({ type: z.literal('edit'), input: NextAction.shape.input, reason: z.string().optional() }),
  z.object({ type: z.literal('reject'), reason: z.string().optional() }),
]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;
