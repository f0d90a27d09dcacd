import { randomUUID } from 'node:crypto';

/** Characters of base 36 for a time in milliseconds until the year 5188. */
const TIME_CHARS = 9;

/**
 * Random characters of an id, one of 36^17, so that ids are unpredictable and unique: 26 characters with the time's.
 */
const RANDOM_CHARS = 17;

/**
 * The end of a UUID, whose last bits are random. Node generates many at once, which is faster than random bytes for
 * each.
 */
const randomChars = (): string =>
  BigInt(`0x${randomUUID().replaceAll('-', '')}`)
    .toString(36)
    .slice(-RANDOM_CHARS);

/** A new id, such as `task_0mh2k…`: sorts by the time of its creation, and is unpredictable. */
export const newId = (prefix: 'task' | 'turn', now: number): string =>
  `${prefix}_${now.toString(36).padStart(TIME_CHARS, '0')}${randomChars()}`;
