import { randomUUID } from 'node:crypto';

/** Characters of base 36 that hold a time in milliseconds until the year 5188. */
const TIME_CHARS = 9;

/** Characters that make an id one of 36^17, so that it is neither guessed nor made twice: 26 in all with the time's. */
const RANDOM_CHARS = 17;

/** The end of a UUID, whose last bits are random; Node makes many of them at once, which is faster than random bytes for each. */
const randomChars = (): string =>
  BigInt(`0x${randomUUID().replaceAll('-', '')}`)
    .toString(36)
    .slice(-RANDOM_CHARS);

/** A new id, such as `task_0mh2k…`: sorts by the time it was made, and can't be guessed. */
export const newId = (prefix: 'task' | 'turn', now: number): string =>
  `${prefix}_${now.toString(36).padStart(TIME_CHARS, '0')}${randomChars()}`;
