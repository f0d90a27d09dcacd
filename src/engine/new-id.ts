import { randomBytes } from 'node:crypto';

/** Characters of base 36 that hold a time in milliseconds until the year 5188. */
const TIME_CHARS = 9;

/** Characters that make an id one of 36^12, so that nobody guesses it or meets it twice. */
const RANDOM_CHARS = 12;

const randomChars = (): string =>
  randomBytes(8).readBigUInt64BE().toString(36).padStart(RANDOM_CHARS, '0').slice(-RANDOM_CHARS);

/** A new id, such as `task_0mh2k…`: sorts by the time it was made, and can't be guessed. */
export const newId = (prefix: 'task' | 'turn', now: number): string =>
  `${prefix}_${now.toString(36).padStart(TIME_CHARS, '0')}${randomChars()}`;
