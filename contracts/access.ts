import { z } from 'zod';
import { ROLES_MAX, RoleName } from './approver.ts';
import { Amount, Cost, subtractAmounts, totalTokens, type UsageDay } from './usage.ts';

/** Largest daily quota. Above it a number no longer limits anything. */
const PER_DAY_MAX = 1_000_000_000_000;

const perDay = z.number().int().min(0).max(PER_DAY_MAX).nullable();

/** An owner's allowance for one UTC day; null: unlimited (SPEC 6). */
export const Quota = z.object({
  /** Turns that a task answers. Commands do not count. */
  turns_per_day: perDay,
  /** Tokens of all model calls: input, output, cache writes and cache reads. */
  tokens_per_day: perDay,
  /** Money that model calls may cost, an exact decimal in the price list's currency. */
  cost_per_day: Amount.nullable(),
});
export type Quota = z.infer<typeof Quota>;

/** Changes to a quota; absent fields stay as they are. */
export const QuotaChange = z.strictObject(Quota.partial().shape);
export type QuotaChange = z.infer<typeof QuotaChange>;

export const NO_QUOTA: Quota = { turns_per_day: null, tokens_per_day: null, cost_per_day: null };

/** A quota with what is left of it today. */
export const QuotaView = Quota.extend({
  turns_left: z.number().int().nullable(),
  tokens_left: z.number().int().nullable(),
  /** null: unlimited, or the cost of a call of this day is not known. */
  cost_left: Amount.nullable(),
  /** The price list's currency; null: the service has no prices. */
  currency: z.string().nullable(),
  /** The next midnight in UTC. */
  resets_at: z.iso.datetime(),
});
export type QuotaView = z.infer<typeof QuotaView>;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The end of the UTC day that contains `at`. Both are epoch milliseconds. */
export const nextMidnight = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;

const left = (limit: number | null, used: number): number | null => (limit === null ? null : Math.max(0, limit - used));

/** The money that a day's calls cost in `currency`; null where the cost of any of them is not known, or is in another currency. */
export const costOfDay = (
  { calls, cost }: Pick<UsageDay, 'calls' | 'cost'>,
  currency: string | null,
): string | null => {
  if (currency === null) return null;
  if (calls === 0) return '0';
  return cost?.currency === currency ? cost.amount : null;
};

const moneyLeft = (limit: string | null, spent: string | null): string | null =>
  limit === null || spent === null ? null : subtractAmounts(limit, spent);

/** The remainder of a quota at `now`, epoch milliseconds, after the usage of `today`. */
export const quotaView = (quota: Quota, today: UsageDay, currency: string | null, now: number): QuotaView => ({
  ...quota,
  turns_left: left(quota.turns_per_day, today.turns),
  tokens_left: left(quota.tokens_per_day, totalTokens(today.usage)),
  cost_left: moneyLeft(quota.cost_per_day, costOfDay(today, currency)),
  currency,
  resets_at: new Date(nextMidnight(now)).toISOString(),
});

/** The name of whoever owns sessions, todos and schedules; safe as a path segment on every file system (SPEC 8). */
export const OwnerName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$');

/**
 * Any owner: one with its own name, or a front end's user, written `{owner of the front end's key}~{user}` (SPEC 11).
 */
export const AnyOwner = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}(~[A-Za-z0-9_-]{1,64})?$/, 'must match ^[A-Za-z0-9_-]{1,64}(~[A-Za-z0-9_-]{1,64})?$');

/** The owner of the front end's key for an owner that is a front end's user; null for any other owner. */
export const frontEndOf = (owner: string): string | null =>
  owner.includes('~') ? owner.slice(0, owner.indexOf('~')) : null;

/**
 * A caller's rights. A user works with their own data, a front end with the data of the user it names, and an operator
 * also runs the service (SPEC 11).
 */
export const Role = z.enum(['user', 'operator', 'front_end']);
export type Role = z.infer<typeof Role>;

export const KeyRequest = z.strictObject({
  owner: OwnerName,
  role: Role.default('user'),
  /** Roles by which its holder may approve, such as `finance` for tools with `approvers: ['role:finance']`. Not for a front end. */
  roles: z.array(RoleName).max(ROLES_MAX).optional(),
  /** When the key expires; null: never. */
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  /** Changes to the quota of the key's owner. For a front end's owner, the quota of each of its users. */
  ...QuotaChange.shape,
});
export type KeyRequest = z.infer<typeof KeyRequest>;

/** A key as lists show it. Never contains the secret, which the reply to its creation shows once. */
export const KeyView = z.object({
  id: z.string(),
  owner: OwnerName,
  role: Role,
  roles: z.array(z.string()),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** Rounded to the hour; null: never used. */
  last_used_at: z.iso.datetime().nullable(),
});
export type KeyView = z.infer<typeof KeyView>;

/** An owner's daily limits and what was used of them today. */
const usedToday = {
  quota: Quota.nullable(),
  today: z.object({
    turns: z.number().int(),
    tokens: z.number().int(),
    /** Absent where the cost of any call is not known, and where there was none. */
    cost: Cost.optional(),
  }),
};

/** A front end's user by owner name, with the daily quota and today's usage. */
export const UserView = z.object({ user: AnyOwner, ...usedToday });
export type UserView = z.infer<typeof UserView>;

/** A key in a list, with its owner's daily quota and today's usage. */
export const ListedKey = KeyView.extend(usedToday);
export type ListedKey = z.infer<typeof ListedKey>;

export const NewKey = KeyView.extend({ key: z.string() });
export type NewKey = z.infer<typeof NewKey>;
