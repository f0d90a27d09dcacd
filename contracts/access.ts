import { z } from 'zod';
import { Quota, QuotaChange } from './quota.ts';

/** Names whom sessions, todos and schedules belong to; safe as one path segment on every file system (SPEC 8). */
export const OwnerName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$');

/** What a caller may do: a user works with what is the owner's own; an operator also sees and runs the service (SPEC 11). */
export const Role = z.enum(['user', 'operator']);
export type Role = z.infer<typeof Role>;

/** Keys that a service keeps, expired ones too: more callers than these have tokens of an issuer. */
export const ACCESS_KEYS_MAX = 10_000;

/** Days that an expired key is still listed, so that its user learns why it ended; then the next new key removes it. */
export const EXPIRED_KEY_DAYS = 30;

/** A key that is to be made. */
export const KeyRequest = z.strictObject({
  owner: OwnerName,
  role: Role.default('user'),
  /** When it ends; null: never. */
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  /** What changes of the owner's quota, whatever key it shows. */
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

/** A key in a list, with what its owner may use a day, and has used today. */
export const ListedKey = KeyView.extend({
  quota: Quota.nullable(),
  today: z.object({ turns: z.number().int(), tokens: z.number().int() }),
});
export type ListedKey = z.infer<typeof ListedKey>;

/** A key that was just made. */
export const NewKey = KeyView.extend({ key: z.string() });
export type NewKey = z.infer<typeof NewKey>;
