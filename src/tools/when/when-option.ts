import { messages } from '../../../contracts/messages/messages.ts';
import { formatTime, zonedAt } from '../../when/format-when.ts';
import { parseWhen, type When } from '../../when/parse-when.ts';
import { type Arguments, textOf, UsageError, type Word } from '../command-line.ts';
import type { ToolCall } from '../port.ts';
import { splitLeadingWhen } from './leading-when.ts';

/** The hour that a reminder comes at when only its day is named. */
const REMIND_HOUR = 9;

/** Whether an option's value takes away what was set: `none`, `无`. */
export const isCleared = (words: Word[]): boolean => /^(?:none|无)$/i.test(textOf(words));

/**
 * Reads an option with a time; undefined: not given, null: `none`. Words after the time become the command's own words if
 * it has none yet (`add --due tomorrow Buy milk`), and are an error otherwise.
 */
export function takeWhen(given: Arguments, option: string, call: ToolCall): When | null | undefined {
  const words = given.options.get(option)?.[0];
  if (words === undefined) return undefined;
  if (isCleared(words)) return null;
  const split = splitLeadingWhen(words, (text) => parseWhen(text, call), call.language);
  if ('error' in split) throw new UsageError(`--${option}: ${split.error}`);
  if (split.rest.length > 0 && given.words.length > 0) {
    const extra = textOf(split.rest);
    throw new UsageError(messages(call.language).when.unreadableAfterTime(option, extra));
  }
  given.words.push(...split.rest);
  return split.when;
}

/** Reads an option that says when to remind: a day alone means 09:00. What has passed is an error, for it could never come. */
export function takeReminder(given: Arguments, option: string, call: ToolCall): number | null | undefined {
  const when = takeWhen(given, option, call);
  if (when === undefined || when === null) return when;
  const at = when.hasTime
    ? when.at
    : zonedAt(when.at, call.timezone).withPlainTime({ hour: REMIND_HOUR }).epochMilliseconds;
  if (at > call.now) return at;
  const passed = formatTime(at, call);
  throw new UsageError(messages(call.language).when.passed(option, passed));
}
