import { messages } from '../../../contracts/messages/messages.ts';
import { describeRule, formatDay, formatSpan, formatTime, type Locale } from '../../when/format-when.ts';
import { isRepeating, nextOccurrence, type Series } from '../../when/series.ts';
import { dateOf } from '../../when/temporal.ts';
import type { Reminder } from '../reminders.ts';
import { type Occurrence, type Overlap, seriesInForce } from './occurrences.ts';
import type { ScheduleEvent } from './schedule-store.ts';

const MINUTE_MS = 60_000;
/** Most lines of one answer: more is no list that anybody reads, and an observation is cut anyway. */
export const LINES_MAX = 100;

function describeSeries({ interval_minutes, rrule, times }: Series, language: Locale['language']): string {
  const every =
    rrule === null ? messages(language).schedule.every(interval_minutes ?? 0) : describeRule(rrule, language);
  return times === -1 ? every : every + messages(language).schedule.times(times);
}

/** The time that an event is shown at: the one that is on or comes next, or its first when all have passed. */
export function shownOccurrence(event: ScheduleEvent, now: number): Occurrence & { past: boolean } {
  const length = event.duration_minutes * MINUTE_MS;
  const next = nextOccurrence(seriesInForce(event), now - length);
  const from = next ?? event.series.first_at;
  return { from, to: from + length, past: next === null };
}

function reminderParts(event: ScheduleEvent, reminders: Reminder[], locale: Locale): string[] {
  return reminders.flatMap((reminder) => {
    if (reminder.due_at === null) return [];
    const at = messages(locale.language).schedule.remind(formatTime(reminder.due_at, locale));
    const nags = reminder.nags && event.repeats && isRepeating(reminder.series);
    return [nags ? `${at} ${describeSeries(reminder.series, locale.language)}` : at];
  });
}

/** An event as one line: `#2 Dentist  2026-11-22 15:00–16:00 (Sun)  remind 2026-11-22 14:30 (Sun)`. */
export function formatEvent(
  event: ScheduleEvent,
  shown: Occurrence & { past?: boolean },
  reminders: Reminder[],
  locale: Locale,
): string {
  const { language } = locale;
  const parts = [`#${event.id} ${event.title}`, formatSpan(shown.from, shown.to, locale)];
  if (isRepeating(event.series))
    parts.push(
      event.repeats
        ? describeSeries(event.series, language)
        : `${describeSeries(event.series, language)} ${messages(language).schedule.switchedOff}`,
    );
  parts.push(...reminderParts(event, reminders, locale));
  if (shown.past) parts.push(messages(language).schedule.past);
  return parts.join('  ');
}

/** Lines under a heading with how many there are in all, and how many of them are not shown. */
export function formatLines(heading: string, lines: string[], total: number, language: Locale['language']): string {
  const more = total - lines.length;
  const left = more > 0 ? [messages(language).commandLine.more(more)] : [];
  return [`${heading} (${total})`, ...lines, ...left].join('\n');
}

/** Overlaps of an event, one line each; nothing when there are none. */
export function formatOverlaps(overlaps: Overlap[], locale: Locale): string {
  const text = messages(locale.language).schedule;
  return overlaps
    .slice(0, LINES_MAX)
    .map(({ other, first, count, isCut }) => {
      const times = isCut ? text.overlapTimesOrMore(count) : count > 1 ? text.overlapTimes(count) : '';
      return `\n${text.overlaps(`#${other.id} ${other.title}  ${formatSpan(first.from, first.to, locale)}`)}${times}`;
    })
    .join('');
}

/** The heading of a view: its day, or its first and last day. `to` is where it ends, exclusively. */
export function formatRange(from: number, to: number, locale: Locale): string {
  const isDay = dateOf(from, locale.timezone) === dateOf(to - 1, locale.timezone);
  return isDay ? formatDay(from, locale) : `${formatDay(from, locale)} – ${formatDay(to - 1, locale)}`;
}
