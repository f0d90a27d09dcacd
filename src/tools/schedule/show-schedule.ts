import type { Temporal } from 'temporal-polyfill';
import type { Queries } from '../../lib/queries.ts';
import { describeRule, formatDay, formatSpan, formatTime, type Locale } from '../../when/format-when.ts';
import { readWhen, unreadable } from '../../when/read-when.ts';
import { isRepeating, nextOccurrence, type Series } from '../../when/series.ts';
import { dateOf, zonedAt } from '../../when/temporal.ts';
import { type Arguments, listText, refuseMore, textOf, UsageError } from '../command-line.ts';
import { createOwnedItems } from '../owned-items.ts';
import type { ToolCall } from '../port.ts';
import { type Reminder, reminderStore } from '../reminders.ts';
import { scheduleMessages } from './messages.ts';
import { countOccurrences, type findOverlaps, type Occurrence, occurrencesOf, seriesInForce } from './occurrences.ts';
import { type ScheduleEvent, scheduleStore } from './schedule-store.ts';

const MINUTE_MS = 60_000;
/** Most lines in one answer: nobody reads a longer list, and an observation is cut anyway. */
export const LINES_MAX = 100;

/** The repetition of a series in words. */
export function describeSeries({ interval_minutes, rrule, times }: Series, language: Locale['language']): string {
  const every =
    rrule === null ? scheduleMessages(language).every(interval_minutes ?? 0) : describeRule(rrule, language);
  return times === -1 ? every : every + scheduleMessages(language).times(times);
}

/** The occurrence at which an event is shown: the current or next one, or its first if all have passed. */
function shownOccurrence(event: ScheduleEvent, now: number): Occurrence & { past: boolean } {
  const length = event.duration_minutes * MINUTE_MS;
  const next = nextOccurrence(seriesInForce(event), now - length);
  const from = next ?? event.series.first_at;
  return { from, to: from + length, past: next === null };
}

/** An event as one line: `#2 Dentist  2026-11-22 15:00–16:00 (Sun)  remind 2026-11-22 14:30 (Sun)`. */
function formatEvent(
  event: ScheduleEvent,
  shown: Occurrence & { past?: boolean },
  reminders: Reminder[],
  locale: Locale,
): string {
  const { language } = locale;
  const text = scheduleMessages(language);
  const parts = [`#${event.id} ${event.title}`, formatSpan(shown.from, shown.to, locale)];
  if (isRepeating(event.series))
    parts.push(`${describeSeries(event.series, language)}${event.repeats ? '' : ` ${text.switchedOff}`}`);
  for (const { due_at, nags, series } of reminders) {
    if (due_at === null) continue;
    const repetition = nags && event.repeats && isRepeating(series) ? ` ${describeSeries(series, language)}` : '';
    parts.push(`${text.remind(formatTime(due_at, locale))}${repetition}`);
  }
  if (shown.past) parts.push(text.past);
  return parts.join('  ');
}

/** Overlaps of an event, one line each; empty if there are none. */
export function formatOverlaps(overlaps: ReturnType<typeof findOverlaps>, locale: Locale): string {
  const text = scheduleMessages(locale.language);
  return overlaps
    .slice(0, LINES_MAX)
    .map(({ other, first, count, isCut }) => {
      const times = isCut ? text.overlapTimesOrMore(count) : count > 1 ? text.overlapTimes(count) : '';
      return `\n${text.overlaps(`#${other.id} ${other.title}  ${formatSpan(first.from, first.to, locale)}`)}${times}`;
    })
    .join('');
}

/** The heading of a view: its day, or its first and last day. `to` is exclusive. */
function formatRange(from: number, to: number, locale: Locale): string {
  const isDay = dateOf(from, locale.timezone) === dateOf(to - 1, locale.timezone);
  return isDay ? formatDay(from, locale) : `${formatDay(from, locale)} – ${formatDay(to - 1, locale)}`;
}

/** The events as commands see them, each at its current or next time. */
export const scheduleEvents = createOwnedItems(
  'schedule',
  scheduleStore,
  scheduleMessages,
  ({ title }) => title,
  (event, reminders, call) => formatEvent(event, shownOccurrence(event, call.now), reminders, call),
);

/** `list`: every event at its next time, soonest first; past ones come last. */
export function* listEvents({ words }: Arguments, call: ToolCall): Queries<string> {
  refuseMore(words, call.language);
  const events = (yield* scheduleStore.all(call.owner))
    .map((event) => ({ event, shown: shownOccurrence(event, call.now) }))
    .sort(
      (a, b) => Number(a.shown.past) - Number(b.shown.past) || a.shown.from - b.shown.from || a.event.id - b.event.id,
    );
  if (events.length === 0) return scheduleMessages(call.language).emptyList;
  const listed = events.slice(0, LINES_MAX);
  const ids = listed.map(({ event }) => event.id);
  const reminders = yield* reminderStore.ofEach({ owner: call.owner, subject: 'schedule' }, ids);
  const lines = listed.map(({ event, shown }) => formatEvent(event, shown, reminders.get(event.id) ?? [], call));
  return listText(scheduleMessages(call.language).list, lines, events.length, call.language);
}

const SPANS = ['day', 'week', 'month'] as const;
type Span = (typeof SPANS)[number];

/** The first day of a span and the first day after it. Weeks begin on Monday. */
function daysOf(span: Span, date: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] {
  const before = { day: 0, week: date.dayOfWeek - 1, month: date.day - 1 };
  const first = date.subtract({ days: before[span] });
  return [first, first.add({ [`${span}s`]: 1 })];
}

/** A span relative to the current one: `next week`, `下个月`. */
const NEARBY = /^(?:(?<next>next|下个?)|last|上个?|(?<here>this|[这本]个?))(?: ?(?:day|week|month|周|星期|礼拜|月))?$/i;

/** The day that a view contains, from the user's words; default today. */
function dayOf(span: Span, text: string, call: ToolCall): Temporal.PlainDate {
  const today = zonedAt(call.now, call.timezone).toPlainDate();
  const nearby = NEARBY.exec(text)?.groups;
  if (text === '' || nearby?.['here'] !== undefined) return today;
  if (nearby !== undefined) return today.add({ [`${span}s`]: nearby['next'] === undefined ? -1 : 1 });
  const isMonth = span === 'month' && /^\d{4}-\d{2}$/.test(text);
  const when = readWhen(isMonth ? `${text}-01` : text, call);
  if ('error' in when) throw new UsageError(unreadable(text, call).error);
  return zonedAt(when.at, call.timezone).toPlainDate();
}

/**
 * `view day|week|month [date]`: every occurrence in that span of the user's zone, in order. A month can be `2027-01`.
 */
export function* viewEvents({ words: [name, ...dateWords] }: Arguments, call: ToolCall): Queries<string> {
  const span = SPANS.find((known) => known === name?.text.toLowerCase());
  if (!span) throw new UsageError(scheduleMessages(call.language).missingSpan);
  const [from, to] = daysOf(span, dayOf(span, textOf(dateWords), call)).map(
    (date) => date.toZonedDateTime(call.timezone).epochMilliseconds,
  ) as [number, number];
  const events = yield* scheduleStore.candidates(call.owner, from, to);
  let count = 0;
  const shown = events
    .flatMap((event) => {
      // No event has more lines than the answer; further ones are only counted.
      const occurrences = occurrencesOf(event, from, to, LINES_MAX);
      count += occurrences.length < LINES_MAX ? occurrences.length : countOccurrences(event, from, to);
      return occurrences.map((occurrence) => ({ event, occurrence }));
    })
    .sort((a, b) => a.occurrence.from - b.occurrence.from || a.event.id - b.event.id)
    .slice(0, LINES_MAX);
  const lines = shown.map(({ event, occurrence }) => formatEvent(event, occurrence, [], call));
  return listText(formatRange(from, to, call), lines, count, call.language);
}
