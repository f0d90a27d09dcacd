import type { Temporal } from 'temporal-polyfill';
import { messages } from '../../../contracts/messages/messages.ts';
import type { Asking } from '../../store/questions.ts';
import { readWhen, unreadable } from '../../when/read-when.ts';
import { zonedAt } from '../../when/temporal.ts';
import { readId, refuseMore, textOf, UsageError, type Word } from '../command-line.ts';
import type { ToolCall } from '../port.ts';
import { reminderStore } from '../reminders.ts';
import { countOccurrences, occurrencesOf } from './occurrences.ts';
import { type ScheduleEvent, scheduleStore } from './schedule-store.ts';
import { formatEvent, formatLines, formatRange, LINES_MAX, shownOccurrence } from './schedule-text.ts';

/** Names an event's reminders. */
export const subjectOf = (id: number, { owner }: ToolCall) => ({ owner, subject: 'schedule', subject_id: id }) as const;

/** The event of that id, or a `UsageError`: what another owner has is not there. */
export function* existingEvent(word: Word | undefined, call: ToolCall): Asking<ScheduleEvent> {
  const id = readId(word, call.language);
  const event = Number.isFinite(id) ? yield* scheduleStore.get(call.owner, id) : null;
  if (event) return event;
  const name = word!.text.replace(/^#?/, '#').slice(0, 20);
  throw new UsageError(messages(call.language).schedule.notFound(name));
}

/** An event's line, at the time that is on or comes next. */
export function* lineOf(event: ScheduleEvent, call: ToolCall): Asking<string> {
  const reminders = yield* reminderStore.of(subjectOf(event.id, call));
  return formatEvent(event, shownOccurrence(event, call.now), reminders, call);
}

/** `get <id>` */
export function* getEvent(words: Word[], call: ToolCall): Asking<string> {
  const event = yield* existingEvent(words[0], call);
  refuseMore(words.slice(1), call.language);
  return yield* lineOf(event, call);
}

/** `list`: every event at the time that comes next, soonest first; those that are over come last. */
export function* listEvents(words: Word[], call: ToolCall): Asking<string> {
  refuseMore(words, call.language);
  const events = (yield* scheduleStore.all(call.owner))
    .map((event) => ({ event, shown: shownOccurrence(event, call.now) }))
    .sort(
      (a, b) => Number(a.shown.past) - Number(b.shown.past) || a.shown.from - b.shown.from || a.event.id - b.event.id,
    );
  if (events.length === 0) return messages(call.language).schedule.emptyList;
  const listed = events.slice(0, LINES_MAX);
  const ids = listed.map(({ event }) => event.id);
  const reminders = yield* reminderStore.ofEach({ owner: call.owner, subject: 'schedule' }, ids);
  const lines = listed.map(({ event, shown }) => formatEvent(event, shown, reminders.get(event.id) ?? [], call));
  return formatLines(messages(call.language).schedule.list, lines, events.length, call.language);
}

const SPANS = ['day', 'week', 'month'] as const;
type Span = (typeof SPANS)[number];

/** The first day of a span and the first day after it; weeks begin on Monday. */
function daysOf(span: Span, date: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] {
  const before = { day: 0, week: date.dayOfWeek - 1, month: date.day - 1 };
  const first = date.subtract({ days: before[span] });
  return [first, first.add({ [`${span}s`]: 1 })];
}

/** A span that is named from the one that today is in: `next week`, `下个月`. */
const NEARBY = /^(?:(?<next>next|下个?)|last|上个?|(?<here>this|[这本]个?))(?: ?(?:day|week|month|周|星期|礼拜|月))?$/i;

/** The day that a view is around, in words that the user wrote; without any it is today. */
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

/** `view day|week|month [date]`: every time that an event takes place in that span of the user's zone, in order; a month may be `2027-01`. */
export function* viewEvents(words: Word[], call: ToolCall): Asking<string> {
  const [name, ...dateWords] = words;
  const span = SPANS.find((known) => known === name?.text.toLowerCase());
  if (!span) throw new UsageError(messages(call.language).schedule.missingSpan);
  const [from, to] = daysOf(span, dayOf(span, textOf(dateWords), call)).map(
    (date) => date.toZonedDateTime(call.timezone).epochMilliseconds,
  ) as [number, number];
  const events = yield* scheduleStore.candidates(call.owner, from, to);
  let count = 0;
  const shown = events
    .flatMap((event) => {
      // No event has more lines than the answer has; what is beyond is counted alone.
      const occurrences = occurrencesOf(event, from, to, LINES_MAX);
      count += occurrences.length < LINES_MAX ? occurrences.length : countOccurrences(event, from, to);
      return occurrences.map((occurrence) => ({ event, occurrence }));
    })
    .sort((a, b) => a.occurrence.from - b.occurrence.from || a.event.id - b.event.id)
    .slice(0, LINES_MAX);
  const lines = shown.map(({ event, occurrence }) => formatEvent(event, occurrence, [], call));
  return formatLines(formatRange(from, to, call), lines, count, call.language);
}
