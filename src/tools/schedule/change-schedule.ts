import { INTERVAL_MINUTES_MAX, SCHEDULE_EVENTS_MAX, TIMES_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { Queries } from '../../lib/queries.ts';
import type { When } from '../../when/read-when.ts';
import { endingAfter, isRepeating, type Series } from '../../when/series.ts';
import { type Arguments, type OptionRule, readInteger, refuseMore, textOf, UsageError } from '../command-line.ts';
import { takeText } from '../owned-items.ts';
import type { ToolCall } from '../port.ts';
import { nextReminder, type ReminderPlan, reminderStore, setReminders } from '../reminders.ts';
import { leadingWhen, takeReminder } from '../when/when-words.ts';
import { scheduleMessages } from './messages.ts';
import { findOverlaps, overlapWindow, seriesInForce } from './occurrences.ts';
import { type ScheduleEvent, type ScheduleFields, scheduleStore } from './schedule-store.ts';
import { formatOverlaps, scheduleEvents } from './show-schedule.ts';

const { existing: existingEvent, lineOf, subjectOf } = scheduleEvents;

/**
 * Repeating events of one owner. Each view and each overlap check computes the times of all of them, 0.5 ms for each
 * month of a daily rule.
 */
export const REPEATING_EVENTS_MAX = 50;

/** Longest event, in minutes: 31 days. */
const DURATION_MINUTES_MAX = 31 * 24 * 60;
const TITLE_CHARS_MAX = 500;

export const scheduleOptions: Record<string, OptionRule> = {
  duration: { value: 'word' },
  remind: { value: 'words' },
  interval: { value: 'word' },
  times: { value: 'word' },
  'remind-start': { value: 'words' },
};

/**
 * Reads the options. An option that was not given is undefined; null: `none` removes it. A bad value is a `UsageError`
 * that names its option.
 */
export function takeScheduleOptions(given: Arguments, call: ToolCall) {
  const number = (option: string, min: number, max: number): number | undefined => {
    const value = given.options.get(option)?.[0];
    return value && readInteger(textOf(value), `--${option}`, min, max, call.language);
  };
  const times = number('times', -1, TIMES_MAX);
  if (times === 0) throw new UsageError(scheduleMessages(call.language).invalidTimes);
  return {
    duration: number('duration', 1, DURATION_MINUTES_MAX),
    remind: takeReminder(given, 'remind', call),
    remindStart: takeReminder(given, 'remind-start', call),
    interval: number('interval', 1, INTERVAL_MINUTES_MAX),
    times,
  };
}

type ScheduleOptions = ReturnType<typeof takeScheduleOptions>;

const takeTitle = (given: Arguments, { language }: ToolCall): string =>
  takeText(given, TITLE_CHARS_MAX, scheduleMessages(language).titleTooLong);

/** `--interval` and `--times` apply to the reminder if one is asked for, else to the event. */
const isForReminder = ({ remind, remindStart, interval }: ScheduleOptions): boolean =>
  interval !== undefined && Boolean(remind ?? remindStart);

/**
 * The event's series after the options: with its own repetition by `--interval`, or limiting the repetition in its
 * words.
 */
export function seriesWith(series: Series, options: ScheduleOptions, duration: number, { language }: ToolCall): Series {
  const { interval, times } = options;
  if (isForReminder(options)) {
    if (isRepeating(series)) throw new UsageError(scheduleMessages(language).reminderRepeatsWithEvent);
    return series;
  }
  if (interval === undefined) {
    if (times === undefined) return series;
    if (series.rrule === null && series.interval_minutes === null)
      throw new UsageError(scheduleMessages(language).timesNeedInterval);
    return endingAfter(series, times);
  }
  if (series.rrule !== null) throw new UsageError(scheduleMessages(language).timeRepeats);
  if (interval < duration) throw new UsageError(scheduleMessages(language).intervalTooShort(duration, interval));
  const timesBefore = series.interval_minutes === null ? -1 : series.times;
  return { ...series, interval_minutes: interval, times: times ?? timesBefore };
}

/**
 * The reminders that the options ask for, each `lead_ms` before its event. One that could never come is a `UsageError`.
 */
function remindersWith(event: ScheduleFields, options: ScheduleOptions, call: ToolCall): ReminderPlan[] {
  const { remind, remindStart, interval, times } = options;
  const repetition = { interval_minutes: interval ?? null, rrule: null, times: interval ? (times ?? -1) : 1 };
  const { title: text, series, repeats } = event;
  const plan = (at: number, nags: boolean): ReminderPlan => ({
    session_id: call.session_id,
    text,
    nags,
    repeats,
    series: nags ? { ...series, ...repetition } : series,
    lead_ms: series.first_at - at,
  });
  const nags = isForReminder(options);
  const plans: ReminderPlan[] = [];
  if (remind) plans.push(plan(remind, nags && !remindStart));
  if (remindStart) plans.push(plan(remindStart, nags));
  if (plans.every((each) => nextReminder(each, call.now) !== null)) return plans;
  throw new UsageError(scheduleMessages(call.language).reminderNeverDue);
}

/** How long an event lasts by default, in minutes (SPEC 8). */
const DURATION_MINUTES_DEFAULT = 60;

/** Reads the time at the start of the command's words. An event without a time of day is a `UsageError`. */
export function takeEventTime(given: Arguments, call: ToolCall): When {
  if (given.words.length === 0) throw new UsageError(scheduleMessages(call.language).missingTime);
  const split = leadingWhen(given.words, call);
  if ('error' in split) throw new UsageError(split.error);
  if (!split.when.hasTime) throw new UsageError(scheduleMessages(call.language).missingTimeOfDay);
  given.words = split.rest;
  return split.when;
}

/** Throws a `UsageError` if the event would exceed a limit: as a new one (`id` null), or as one more that repeats. */
function* refuseEventBeyondLimit(event: ScheduleFields, id: number | null, call: ToolCall): Queries<void> {
  const { total, repeating } = yield* scheduleStore.count(call.owner, id);
  const text = scheduleMessages(call.language);
  if (id === null && total >= SCHEDULE_EVENTS_MAX) throw new UsageError(text.tooMany(SCHEDULE_EVENTS_MAX));
  if (isRepeating(seriesInForce(event)) && repeating >= REPEATING_EVENTS_MAX)
    throw new UsageError(text.tooManyRepeating(REPEATING_EVENTS_MAX));
}

export const seriesAt = ({ at, rrule, timezone }: When): Series => ({
  first_at: at,
  interval_minutes: null,
  rrule,
  timezone,
  times: rrule === null ? 1 : -1,
});

/** The event's line as a message, and the events that it overlaps. */
function* report(
  message: 'added' | 'updated' | 'repetitionOn' | 'repetitionOff',
  event: ScheduleEvent,
  call: ToolCall,
): Queries<string> {
  const window = overlapWindow(event, call.now);
  const others = yield* scheduleStore.candidates(call.owner, window.from, window.to);
  const overlaps = findOverlaps(event, others, window);
  return scheduleMessages(call.language)[message](yield* lineOf(event, call)) + formatOverlaps(overlaps, call);
}

/** `add <when> <title> […]` */
export function* addEvent(given: Arguments, call: ToolCall): Queries<string> {
  const options = takeScheduleOptions(given, call);
  const when = takeEventTime(given, call);
  const title = takeTitle(given, call);
  if (title === '') throw new UsageError(scheduleMessages(call.language).missingTitle);
  const duration_minutes = options.duration ?? when.minutes ?? DURATION_MINUTES_DEFAULT;
  const series = seriesWith(seriesAt(when), options, duration_minutes, call);
  const fields: ScheduleFields = { title, series, duration_minutes, repeats: true };
  const reminders = remindersWith(fields, options, call);
  yield* refuseEventBeyondLimit(fields, null, call);
  const id = yield* scheduleStore.add(call.owner, fields, call.now);
  yield* setReminders(subjectOf(id, call), reminders, call);
  return yield* report('added', { id, ...fields }, call);
}

/** The reminders of an event that was moved. Existing ones stay as long before it, unless the options give new ones. */
function* remindersAfter(event: ScheduleEvent, options: ScheduleOptions, call: ToolCall): Queries<ReminderPlan[]> {
  if (options.remind !== undefined || options.remindStart !== undefined) return remindersWith(event, options, call);
  return (yield* reminderStore.of(subjectOf(event.id, call))).map((plan) => ({
    ...plan,
    text: event.title,
    series: plan.nags ? { ...plan.series, first_at: event.series.first_at } : event.series,
  }));
}

/** `update <id> [when] [title] […]`: omitted values stay; `--remind none` removes the reminders. */
export function* updateEvent(given: Arguments, call: ToolCall): Queries<string> {
  const event = yield* existingEvent(given.words.shift(), call);
  const options = takeScheduleOptions(given, call);
  if (given.words.length === 0 && given.options.size === 0)
    throw new UsageError(messages(call.language).commandLine.nothingToChange);
  const when = given.words.length > 0 ? takeEventTime(given, call) : null;
  const title = takeTitle(given, call) || event.title;
  const duration_minutes = options.duration ?? when?.minutes ?? event.duration_minutes;
  const moved = when ? moveSeries(event.series, when) : event.series;
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

/**
 * Replaces the time of a series. A repetition by `--interval` continues from the new time; one in words is part of the
 * time.
 */
function moveSeries(series: Series, when: When): Series {
  const fresh = seriesAt(when);
  if (when.rrule !== null || series.interval_minutes === null) return fresh;
  return { ...fresh, interval_minutes: series.interval_minutes, times: series.times };
}

/** `repeat <id> <on|off>`: for the event's repetition and that of its reminders. */
export function* switchRepetition({ words }: Arguments, call: ToolCall): Queries<string> {
  const event = yield* existingEvent(words[0], call);
  const state = words[1]?.text.toLowerCase();
  if (state !== 'on' && state !== 'off') throw new UsageError(scheduleMessages(call.language).invalidSwitch);
  refuseMore(words.slice(2), call.language);
  const subject = subjectOf(event.id, call);
  const reminders = yield* reminderStore.of(subject);
  if (!isRepeating(event.series) && !reminders.some(({ series }) => isRepeating(series)))
    throw new UsageError(scheduleMessages(call.language).noRepetition(event.id));
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
