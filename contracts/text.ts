import { z } from 'zod';
import { isOtherLanguage } from './other-language.ts';

export const Language = z.enum(['en', 'zh']);
export type Language = z.infer<typeof Language>;

/**
 * The language of the service's own sentences: Chinese where the text has Han characters and is in no other language,
 * else English.
 */
export const languageOf = (text: string): Language =>
  /\p{Script=Han}/u.test(text) && !isOtherLanguage(text) ? 'zh' : 'en';

/** Escape sequences of terminals (ECMA-48): control sequences, strings up to their terminator, and single escapes. */
const ESCAPES =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/g;

/** A text without terminal escape sequences, in linear time. Node's own function takes quadratic time. */
export const withoutEscapes = (text: string): string => text.replace(ESCAPES, '');

/**
 * Blanks, and characters that could move, hide or reorder text on a terminal or a page: controls, line ends, direction
 * marks.
 */
const UNSEEN = /[\s\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu;

/** The first `max` characters of a text, or one less where they would end inside a surrogate pair. */
export const firstChars = (text: string, max: number): string => {
  const head = text.slice(0, max);
  const isSplit = head.length < text.length && /[\uD800-\uDBFF]$/.test(head);
  return isSplit ? head.slice(0, -1) : head;
};

/**
 * Any text as one plain line of at most `max` characters, cut with …. Never contains escape sequences, control
 * characters, direction marks or lone surrogates.
 */
export const plainLine = (text: string, max = Number.POSITIVE_INFINITY): string => {
  const plain = withoutEscapes(text).replace(UNSEEN, ' ').trim().toWellFormed();
  if (plain.length <= max) return plain;
  return `${firstChars(plain, max - 1).trimEnd()}…`;
};

/** Cuts a text to `max` characters and marks the cut. Never cuts inside a surrogate pair. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const mark = `… [cut, ${text.length} characters in all]`;
  return firstChars(text, Math.max(0, max - mark.length)) + mark;
};

/**
 * The first `head` and the last `tail` characters of a text, with the number left out between them. A slightly longer
 * text stays whole.
 */
export const headAndTail = (text: string, head: number, tail: number, max: number): string => {
  if (text.length <= max) return text;
  const mark = `\n… [${text.length - head - tail} characters are left out here] …\n`;
  return text.slice(0, head).toWellFormed() + mark + text.slice(-tail).toWellFormed();
};

/** True for an input that looks like a slash command, also with the full-width slash of Chinese input methods. */
export const isCommand = (input: string): boolean => /^\s*(\/|／[a-z]+(\s|$))/i.test(input);

/** True for values that SPEC 5 counts as null: null, undefined, and a text that is empty or only blanks. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
