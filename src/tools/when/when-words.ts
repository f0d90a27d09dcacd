import { messages } from '../../../contracts/messages/messages.ts';
import { formatTime } from '../../when/format-when.ts';
import { readLeadingWhen, readWhen, type When } from '../../when/read-when.ts';
import { zonedAt } from '../../when/temporal.ts';
import { type Arguments, textOf, UsageError, type Word } from '../command-line.ts';
import type { ToolCall } from '../port.ts';

/** The hour of a reminder if only its day is given. */
const REMIND_HOUR = 9;

/** Whether an option's value removes what was set: `none`, `无`. */
export const isCleared = (words: Word[]): boolean => /^(?:none|无)$/i.test(textOf(words));

/** Reads the time at the start of some words, and returns the words after it. A quoted start is the whole time. */
export function leadingWhen(words: Word[], call: ToolCall): { when: When; rest: Word[] } | { error: string } {
  const quotedAt = words.findIndex(({ quoted }) => quoted);
  const head = words.slice(0, quotedAt === -1 ? words.length : Math.max(quotedAt, 1));
  const text = head.map((word) => word.text).join(' ');
  if (quotedAt === 0) {
    const when = readWhen(text, call);
    return 'error' in when ? when : { when, rest: words.slice(1) };
  }
  const read = readLeadingWhen(text, call);
  if ('error' in read) return read;
  const rest = read.rest.split(' ').flatMap((each) => (each === '' ? [] : [{ text: each, quoted: false }]));
  return { when: read.when, rest: [...rest, ...words.slice(head.length)] };
}

/**
 * Reads an option with a time; undefined: not given, null: `none`. Words after it become the command's own if it has
 * none yet, else they are an error.
 */
export function takeWhen(given: Arguments, option: string, call: ToolCall): When | null | undefined {
  const words = given.options.get(option)?.[0];
  if (words === undefined) return undefined;
  if (isCleared(words)) return null;
  const text = messages(call.language).when;
  const read = leadingWhen(words, call);
  if ('error' in read) throw new UsageError(`--${option}: ${read.error}`);
  const { when, rest } = read;
  if (when.rrule !== null || when.minutes !== null)
    throw new UsageError(`--${option}: ${text.unreadable(textOf(words))}`);
  if (rest.length > 0 && given.words.length > 0) throw new UsageError(text.unreadableAfterTime(option, textOf(rest)));
  given.words.push(...rest);
  return when;
}

/** Reads a reminder option; a day alone means 09:00. A time in the past is an error, as it could never come. */
export function takeReminder(given: Arguments, option: string, call: ToolCall): number | null | undefined {
  const when = takeWhen(given, option, call);
  if (when === undefined || when === null) return when;
  const at = when.hasTime
    ? when.at
    : zonedAt(when.at, call.timezone).withPlainTime({ hour: REMIND_HOUR }).epochMilliseconds;
  if (at > call.now) return at;
  throw new UsageError(messages(call.language).when.passed(option, formatTime(at, call)));
}
