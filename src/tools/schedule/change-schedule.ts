import { messages } from '../../../contracts/messages/messages.ts';
import type { Asking } from '../../store/questions.ts';
import type { When } from '../../when/read-when.ts';
import { isRepeating, type Series } from '../../when/series.ts';
import { type Arguments, refuseMore, UsageError, type Word } from '../command-line.ts';
import { refuseEventBeyondLimit, setReminders } from '../owner-limits.ts';
import type { ToolCall } from '../port.ts';
import { type ReminderPlan, reminderStore } from '../reminders.ts';
import { leadingWhen } from '../when/when-words.ts';
import { existingEvent, lineOf, subjectOf } from './one-event.ts';
import { findOverlaps, overlapWindow } from './overlaps.ts';
import { remindersWith, type ScheduleOptions, seriesWith, takeScheduleOptions, takeTitle } from './schedule-options.ts';
import { type ScheduleEvent, type ScheduleFields, scheduleStore } from './schedule-store.ts';
import { formatOverlaps } from './schedule-text.ts';

/** How long an event lasts by default, in minutes (SPEC 8). */
const DURATION_MINUTES_DEFAULT = 60;

/** Takes the time from the head of the command's words; an event without a time of day is a `UsageError`. */
function takeEventTime(given: Arguments, call: ToolCall): When {
  if (given.words.length === 0) throw new UsageError(messages(call.language).schedule.missingTime);
  const split = leadingWhen(given.words, call);
  if ('error' in split) throw new UsageError(split.error);
  if (!split.when.hasTime) throw new UsageError(messages(call.language).schedule.missingTimeOfDay);
  given.words = split.rest;
  return split.when;
}

const seriesAt = ({ at, rrule }: When, call: ToolCall): Series => ({
  first_at: at,
  interval_minutes: null,
  rrule,
  timezone: call.timezone,
  times: rrule === null ? 1 : -1,
});

/** The event's line as a message, and what the event overlaps. */
function* report(
  message: 'added' | 'updated' | 'repetitionOn' | 'repetitionOff',
  event: ScheduleEvent,
  call: ToolCall,
): Asking<string> {
  const window = overlapWindow(event, call.now);
  const others = yield* scheduleStore.candidates(call.owner, window.from, window.to);
  const overlaps = findOverlaps(event, others, call.now);
  return messages(call.language).schedule[message](yield* lineOf(event, call)) + formatOverlaps(overlaps, call);
}

/** `add <when> <title> […]` */
export function* addEvent(given: Arguments, call: ToolCall): Asking<string> {
  const options = takeScheduleOptions(given, call);
  const when = takeEventTime(given, call);
  const title = takeTitle(given, call);
  if (title === '') throw new UsageError(messages(call.language).schedule.missingTitle);
  const duration_minutes = options.duration ?? when.minutes ?? DURATION_MINUTES_DEFAULT;
  const series = seriesWith(seriesAt(when, call), options, duration_minutes, call);
  const fields: ScheduleFields = { title, series, duration_minutes, repeats: true };
  const reminders = remindersWith(fields, options, call);
  yield* refuseEventBeyondLimit(fields, null, call);
  const id = yield* scheduleStore.add(call.owner, fields, call.now);
  yield* setReminders(subjectOf(id, call), reminders, call);
  return yield* report('added', { id, ...fields }, call);
}

/** The reminders of an event that was moved: those that it had stay as long before it, unless the options name new ones. */
function* remindersAfter(event: ScheduleEvent, options: ScheduleOptions, call: ToolCall): Asking<ReminderPlan[]> {
  if (options.remind !== undefined || options.remindStart !== undefined) return remindersWith(event, options, call);
  return (yield* reminderStore.of(subjectOf(event.id, call))).map((plan) => ({
    ...plan,
    text: event.title,
    series: plan.nags ? { ...plan.series, first_at: event.series.first_at } : event.series,
  }));
}

/** `update <id> [when] [title] […]`: what is left out stays; `--remind none` takes the reminders away. */
export function* updateEvent(given: Arguments, call: ToolCall): Asking<string> {
  const event = yield* existingEvent(given.words.shift(), call);
  const options = takeScheduleOptions(given, call);
  if (given.words.length === 0 && given.options.size === 0)
    throw new UsageError(messages(call.language).commandLine.nothingToChange);
  const when = given.words.length > 0 ? takeEventTime(given, call) : null;
  const title = takeTitle(given, call) || event.title;
  const duration_minutes = options.duration ?? when?.minutes ?? event.duration_minutes;
  const moved = when ? moveSeries(event.series, when, call) : event.series;
  const series = seriesWith(moved, options, duration_minutes, call);
  const changed: ScheduleEvent = { ...event, title, duration_minutes, series };
  const isAsBefore = series === event.series && options.remind === undefined && options.remindStart === undefined;
  const reminders = isAsBefore ? null : yield* remindersAfter(changed, options, call);
  yield* refuseEventBeyondLimit(changed, event.id, call);
  yield* scheduleStore.update(call.owner, event.id, changed);
  const subject = subjectOf(event.id, call);
  if (reminders === null) yield* reminderStore.rename(subject, title);
  else yield* setReminders(subject, reminders, call);
  return yield* report('updated', changed, call);
}

/** A new time takes the old one's place; a repetition by `--interval` continues from there, one in words is part of the time. */
function moveSeries(series: Series, when: When, call: ToolCall): Series {
  const fresh = seriesAt(when, call);
  if (when.rrule !== null || series.interval_minutes === null) return fresh;
  return { ...fresh, interval_minutes: series.interval_minutes, times: series.times };
}

/** `repeat <id> <on|off>`: for the event's repetition and that of its reminders. */
export function* switchRepetition(words: Word[], call: ToolCall): Asking<string> {
  const event = yield* existingEvent(words[0], call);
  const state = words[1]?.text.toLowerCase();
  if (state !== 'on' && state !== 'off') throw new UsageError(messages(call.language).schedule.invalidSwitch);
  refuseMore(words.slice(2), call.language);
  const subject = subjectOf(event.id, call);
  const reminders = yield* reminderStore.of(subject);
  if (!isRepeating(event.series) && !reminders.some(({ series }) => isRepeating(series)))
    throw new UsageError(messages(call.language).schedule.noRepetition(event.id));
  const changed = { ...event, repeats: state === 'on' };
  yield* refuseEventBeyondLimit(changed, event.id, call);
  yield* scheduleStore.update(call.owner, event.id, changed);
  yield* reminderStore.replace(
    subject,
    reminders.map((plan) => ({ ...plan, repeats: changed.repeats })),
    call.now,
  );
  return yield* report(changed.repeats ? 'repetitionOn' : 'repetitionOff', changed, call);
}
