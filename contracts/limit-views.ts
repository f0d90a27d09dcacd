import { z } from 'zod';
import { fixedLimits } from './fixed-limits.ts';
import { AtLimit, type LimitRow, LimitScope } from './limit-row.ts';
import { type LimitName, type ServiceLimits, serviceLimits } from './service-limits.ts';

/** A row of `GET /v1/limits`; `used` is null where it is not counted as a whole. */
export const LimitView = z.object({
  name: z.string(),
  scope: LimitScope,
  unit: z.string(),
  limit: z.number().int(),
  used: z.number().int().nullable(),
  at_limit: AtLimit,
  reason: z.string(),
});
export type LimitView = z.infer<typeof LimitView>;

/** What is used of some limits, by name. */
export type LimitUsage = Partial<Record<LimitName | keyof typeof fixedLimits, number>>;

/** All rows, with the limits as they are set. */
export const limitViews = (limits: ServiceLimits, max_total_steps: number, used: LimitUsage = {}): LimitView[] => {
  const steps: LimitRow = {
    scope: 'task',
    unit: 'budget steps',
    limit: max_total_steps,
    at_limit: 'pause',
    reason: 'Each may cost a model call; a task pauses every TRIPACT_MAX_STEPS and fails at this one.',
  };
  const rows = { ...serviceLimits, ...fixedLimits, steps } as Record<string, LimitRow>;
  return Object.entries(rows).map(([name, { scope, unit, limit, at_limit, reason }]) => ({
    name,
    scope,
    unit,
    limit: limits[name as LimitName] ?? limit,
    used: used[name as LimitName] ?? null,
    at_limit,
    reason,
  }));
};
