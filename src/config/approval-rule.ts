import { z } from 'zod';
import { Approver } from '../../contracts/approver.ts';

/** Names of tools, or the beginning of their names with a star. */
export const ToolPattern = z
  .string()
  .regex(/^(?:[A-Za-z0-9_-]{1,64}\*?|\*)$/, 'must be a name of a tool, or the beginning of one with * behind it');

/** Who may decide about the calls of a tool. */
export const Approvers = z.array(Approver).min(1);

/** True unless nobody would be left to decide: `self` alone keeps out the task's owner. */
export const namesApprovers = ({ approvers, self }: { approvers?: unknown; self?: unknown }): boolean =>
  self === undefined || approvers !== undefined;
export const SELF = { error: 'needs "approvers"', path: ['self'] };

/** Approval of tools by pattern (SPEC 3); `approval` is what a place may say of it. */
export const ruleOf = <Approval extends z.ZodType>(approval: Approval) =>
  z
    .strictObject({
      tools: z.union(
        [ToolPattern, z.array(ToolPattern).min(1)],
        'must be the name of a tool, the beginning of one with * behind it, or a list of them',
      ),
      approval,
      approvers: Approvers.optional(),
      self: z.literal(false).optional(),
    })
    .refine(namesApprovers, SELF);

/** A rule without code. */
const PlainRule = ruleOf(z.union([z.boolean(), z.literal('after_untrusted')]));

/** Rules as a JSON list. */
export const ApprovalRules = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(z.array(PlainRule));
