import { z } from 'zod';

/**
 * What one gets at a limit: a status with a problem (429 and 503 have `retry-after`), 202 in place of a finished turn, an error from the
 * command or tool (`refused`), a task that pauses, a connection that is closed, the oldest of it dropped, or a callback given up.
 */
export const AtLimit = z.enum(['429', '413', '503', '202', 'refused', 'pause', 'closed', 'oldest_dropped', 'given_up']);

/** Whose count it is. */
export const LimitScope = z.enum(['service', 'owner', 'session', 'task', 'request']);

/** One thing that grows, and where it ends. */
export interface LimitRow {
  readonly scope: z.infer<typeof LimitScope>;
  readonly unit: string;
  readonly limit: number;
  readonly at_limit: z.infer<typeof AtLimit>;
  readonly reason: string;
}

/** Rows by name, whose type is the names alone: the published types need not repeat every sentence. */
export const limitRows = <Name extends string>(rows: Record<Name, LimitRow>): Readonly<Record<Name, LimitRow>> => rows;
