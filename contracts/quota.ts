import { z } from 'zod';

/** Most that a quota may allow of one thing a day: above it, it is no quota. */
const PER_DAY_MAX = 1_000_000_000_000;

/** Owners that a service keeps a quota of. */
export const OWNER_QUOTAS_MAX = 100_000;

const perDay = z.number().int().min(0).max(PER_DAY_MAX).nullable();

/** What an owner may use from midnight to midnight, UTC; null: any number (SPEC 6). */
export const Quota = z.object({
  /** Turns that a task answers; commands are none. */
  turns_per_day: perDay,
  /** Tokens of all model calls: input, output, written to and read from the provider's cache. */
  tokens_per_day: perDay,
});
export type Quota = z.infer<typeof Quota>;

/** What is to change of a quota; what is not there stays as it is. */
export const QuotaChange = z.strictObject(Quota.partial().shape);
export type QuotaChange = z.infer<typeof QuotaChange>;

/** A quota of nothing: any number of both. */
export const NO_QUOTA: Quota = { turns_per_day: null, tokens_per_day: null };

/** A quota with what is left of it today. */
export const QuotaView = Quota.extend({
  turns_left: z.number().int().nullable(),
  tokens_left: z.number().int().nullable(),
  /** The next midnight, UTC. */
  resets_at: z.iso.datetime(),
});
export type QuotaView = z.infer<typeof QuotaView>;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When the day of `at` ends, UTC, both in epoch milliseconds. */
export const nextMidnight = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;

const left = (limit: number | null, used: number): number | null => (limit === null ? null : Math.max(0, limit - used));

/** What is left of a quota at `now`, epoch milliseconds. */
export const quotaView = (quota: Quota, used: { turns: number; tokens: number }, now: number): QuotaView => ({
  ...quota,
  turns_left: left(quota.turns_per_day, used.turns),
  tokens_left: left(quota.tokens_per_day, used.tokens),
  resets_at: new Date(nextMidnight(now)).toISOString(),
});
