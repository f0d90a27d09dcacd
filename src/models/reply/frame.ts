import { isDeepStrictEqual } from 'node:util';
import { RESERVED_KEYS } from '../../../contracts/reserved-key.ts';
import { isName, literalOf } from './literals.ts';
import type { Fault } from './reason.ts';
import type { Token } from './tokens.ts';

/** An object, list or tuple that is being read, and what its last token was, which says what may come next. */
export interface Frame {
  items: unknown[] | Record<string, unknown>;
  closer: string;
  place: 'begin' | 'comma' | 'key' | 'colon' | 'string' | 'plus' | 'literal' | 'container';
  key: string;
  /** A duplicate key in this object. */
  isRepeated: boolean;
}

export const GUESS: Fault = ({ guess }) => guess;
const TWICE: Fault = ({ repeatedKey }) => repeatedKey;

export const openFrame = (closer: string): Frame => ({
  items: closer === '}' ? {} : [],
  closer,
  place: 'begin',
  key: '',
  isRepeated: false,
});

/** True where a value may come: after a colon; in a list also where only a comma is missing that could stand nowhere else. */
export const takesValue = ({ items, place }: Frame): boolean =>
  Array.isArray(items)
    ? place === 'begin' || place === 'comma' || place === 'literal' || place === 'container'
    : place === 'colon';

/** A comma may be missing after a literal or a closer, and before a key on a line of its own. */
const takesKey = ({ items, place }: Frame, onNewLine: boolean): boolean =>
  !Array.isArray(items) &&
  (place === 'begin' ||
    place === 'comma' ||
    place === 'literal' ||
    place === 'container' ||
    (place === 'string' && onNewLine));

/** True when the frame is complete. `(a)` is no tuple: Python wants a comma behind its only item. */
export const mayClose = ({ items, place, closer }: Frame): boolean =>
  place !== 'key' &&
  place !== 'colon' &&
  place !== 'plus' &&
  !(closer === ')' && Array.isArray(items) && items.length === 1 && place !== 'comma');

/** Adds a value where one may come. Gives the fault of an object whose key has another value already. */
export const put = (frame: Frame, value: unknown, place: 'string' | 'literal' | 'container'): Fault | null => {
  frame.place = place;
  if (Array.isArray(frame.items)) frame.items.push(value);
  else if (!frame.isRepeated) frame.items[frame.key] = value;
  else if (!isDeepStrictEqual(frame.items[frame.key], value)) return TWICE;
  return null;
};

/** Takes a token that opens and closes nothing; gives why it can't stand there, or null. */
export const take = (
  frame: Frame,
  token: Exclude<Token, { kind: 'open' | 'close' }>,
  onNewLine: boolean,
): Fault | null => {
  switch (token.kind) {
    case 'comma':
      // In a list a doubled or leading comma may be a missing item.
      if (Array.isArray(frame.items) && (frame.place === 'begin' || frame.place === 'comma')) return GUESS;
      if (frame.place === 'key' || frame.place === 'colon' || frame.place === 'plus') return GUESS;
      frame.place = 'comma';
      return null;
    case 'colon':
      if (frame.place !== 'key') return GUESS;
      frame.place = 'colon';
      return null;
    case 'plus':
      if (frame.place !== 'string' || frame.isRepeated) return GUESS;
      frame.place = 'plus';
      return null;
    case 'string':
      if (token.value === null) return GUESS;
      if (frame.place === 'plus') return join(frame, token.value);
      if (takesKey(frame, onNewLine)) return takeKey(frame, token.value);
      return takesValue(frame) ? put(frame, token.value, 'string') : GUESS;
    case 'word': {
      if (takesKey(frame, false)) return isName(token.word) ? takeKey(frame, token.word) : GUESS;
      const value = literalOf(token.word);
      return value !== undefined && takesValue(frame) ? put(frame, value, 'literal') : GUESS;
    }
    default:
      return token satisfies never;
  }
};

const takeKey = (frame: Frame, key: string): Fault | null => {
  if (RESERVED_KEYS.includes(key)) return ({ reservedKey }) => reservedKey(key);
  frame.key = key;
  frame.isRepeated = Object.hasOwn(frame.items, key);
  frame.place = 'key';
  return null;
};

/** Adds to the string that was put last. */
const join = (frame: Frame, more: string): null => {
  if (Array.isArray(frame.items)) frame.items.push(String(frame.items.pop()) + more);
  else frame.items[frame.key] = String(frame.items[frame.key]) + more;
  frame.place = 'string';
  return null;
};
