import { createHash } from 'node:crypto';

/** The idempotency key of what a front end sends: the same parts give the same turn, however often they are sent. The prefix names its protocol. */
export const requestKey = (prefix: string, parts: readonly unknown[]): string =>
  `${prefix}${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
