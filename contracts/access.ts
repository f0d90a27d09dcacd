import { z } from 'zod';

/** Most that a quota may allow of one thing a day: above it, it is no quota. */
const PER_DAY_MAX = 1_000_000_000_000;

const perDay = z.number().int().min(0).max(PER_DAY_MAX).nullable();

/** An owner's allowance from midnight to midnight, UTC; null: any number (SPEC 6). */
export const Quota = z.object({
  /** Turns that a task answers; commands are none. */
  turns_per_day: perDay,
  /** Tokens of all model calls: input, output, written to and read from the provider's cache. */
  tokens_per_day: perDay,
});
export type Quota = z.infer<typeof Quota>;

/** Changes of a quota; fields that are absent stay as they are. */
export const QuotaChange = z.strictObject(Quota.partial().shape);
export type QuotaChange = z.infer<typeof QuotaChange>;

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

/** The rest of a quota at `now`, epoch milliseconds. */
export const quotaView = (quota: Quota, used: { turns: number; tokens: number }, now: number): QuotaView => ({
  ...quota,
  turns_left: left(quota.turns_per_day, used.turns),
  tokens_left: left(quota.tokens_per_day, used.tokens),
  resets_at: new Date(nextMidnight(now)).toISOString(),
});

/** Names whom sessions, todos and schedules belong to; safe as one path segment on every file system (SPEC 8). */
export const OwnerName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$');

/** Any owner: one with a name of its own, or a user of a front end, by the owner of the front end's key and the user's name (SPEC 11). */
export const AnyOwner = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}(~[A-Za-z0-9_-]{1,64})?$/, 'must match ^[A-Za-z0-9_-]{1,64}(~[A-Za-z0-9_-]{1,64})?$');

/** The owner of a front end's key, by the owner that one of its users is; null: that owner is no such user. */
export const frontEndOf = (owner: string): string | null =>
  owner.includes('~') ? owner.slice(0, owner.indexOf('~')) : null;

/** Rights of a caller: a user works with the owner's own data, a front end with that of the user whom it names; an operator also sees and runs the service (SPEC 11). */
export const Role = z.enum(['user', 'operator', 'front_end']);
export type Role = z.infer<typeof Role>;

export const KeyRequest = z.strictObject({
  owner: OwnerName,
  role: Role.default('user'),
  /** When it ends; null: never. */
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  /** Changes of the owner's quota, whatever key it shows; of a front end's owner, the quota of each of its users. */
  ...QuotaChange.shape,
});
export type KeyRequest = z.infer<typeof KeyRequest>;

/** A key as it is listed: never the key itself, which only its maker sees, once. */
export const KeyView = z.object({
  id: z.string(),
  owner: OwnerName,
  role: Role,
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** To the hour; null: never used. */
  last_used_at: z.iso.datetime().nullable(),
});
export type KeyView = z.infer<typeof KeyView>;

/** An owner's daily limits, and their use of today. */
const usedToday = {
  quota: Quota.nullable(),
  today: z.object({ turns: z.number().int(), tokens: z.number().int() }),
};

/** A user of a front end, by the owner that it is, with what it may use a day, and has used today. */
export const UserView = z.object({ user: AnyOwner, ...usedToday });
export type UserView = z.infer<typeof UserView>;

/** A key in a list, with what its owner may use a day, and has used today. */
export const ListedKey = KeyView.extend(usedToday);
export type ListedKey = z.infer<typeof ListedKey>;

export const NewKey = KeyView.extend({ key: z.string() });
export type NewKey = z.infer<typeof NewKey>;
