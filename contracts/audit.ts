import { z } from 'zod';
import { Chain } from './ids.ts';

/** The first line of a day of the audit: the day in UTC, and the chain that it begins with. */
export const AuditDay = z.strictObject({ day: z.iso.date(), chain: Chain });
export type AuditDay = z.infer<typeof AuditDay>;

/**
 * An act: `hash` is of the members before it, `chain` of the chain before it and `hash`. Of one that was removed, or is
 * another owner's, only these are left.
 */
export const AuditAct = z.looseObject({ act: z.string().optional(), hash: Chain, chain: Chain });
export type AuditAct = z.infer<typeof AuditAct>;

/** The last line of a day of the audit. `open`: the day is not over, and more may come. */
export const AuditRoot = z.strictObject({
  day: z.iso.date(),
  acts: z.int(),
  root: Chain,
  open: z.literal(true).optional(),
});
export type AuditRoot = z.infer<typeof AuditRoot>;

export const AuditLine = z.union([AuditDay, AuditRoot, AuditAct]);
export type AuditLine = z.infer<typeof AuditLine>;
