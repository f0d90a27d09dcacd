import { messages } from '../../../contracts/messages/messages.ts';
import { endingAfter, isRepeating, type Series } from '../../when/series.ts';
import { type Arguments, type OptionRule, readInteger, textOf, UsageError } from '../command-line.ts';
import type { ToolCall } from '../port.ts';
import type { ReminderPlan } from '../reminders.ts';
import { nextReminder } from '../reminders.ts';
import { takeReminder } from '../when/when-words.ts';
import type { ScheduleFields } from './schedule-store.ts';

/** Longest event, in minutes: 31 days. */
export const DURATION_MINUTES_MAX = 31 * 24 * 60;
/** Longest interval of a repetition, in minutes: 366 days. */
const INTERVAL_MINUTES_MAX = 366 * 24 * 60;
/** Longest repetition count; without end is -1. */
const TIMES_MAX = 1_000;
/** Longest title, in characters. */
const TITLE_CHARS_MAX = 500;

/** The options that `add` and `update` take. */
export const scheduleOptions: Record<string, OptionRule> = {
  duration: { value: 'word' },
  remind: { value: 'words' },
  interval: { value: 'word' },
  times: { value: 'word' },
  'remind-start': { value: 'words' },
};

/** What the options of `add` and `update` say; what was not given is undefined, and null was taken away by `none`. */
export interface ScheduleOptions {
  duration: number | undefined;
  remind: number | null | undefined;
  remindStart: number | null | undefined;
  interval: number | undefined;
  times: number | undefined;
}

/** Reads the options; a bad value is a `UsageError` that names its option. */
export function takeScheduleOptions(given: Arguments, call: ToolCall): ScheduleOptions {
  const number = (option: string, min: number, max: number): number | undefined => {
    const value = given.options.get(option)?.[0];
    return value && readInteger(textOf(value), `--${option}`, min, max, call.language);
  };
  const times = number('times', -1, TIMES_MAX);
  if (times === 0) throw new UsageError(messages(call.language).schedule.invalidTimes);
  return {
    duration: number('duration', 1, DURATION_MINUTES_MAX),
    remind: takeReminder(given, 'remind', call),
    remindStart: takeReminder(given, 'remind-start', call),
    interval: number('interval', 1, INTERVAL_MINUTES_MAX),
    times,
  };
}

/** Reads a title, or throws a `UsageError` when it is too long. Empty when there is none. */
export function takeTitle(given: Arguments, { language }: ToolCall): string {
  const title = textOf(given.words);
  if (title.length <= TITLE_CHARS_MAX) return title;
  throw new UsageError(messages(language).schedule.titleTooLong(TITLE_CHARS_MAX));
}

/** `--interval` and `--times` are the reminder's when a reminder is asked for, else the event's own. */
const isForReminder = ({ remind, remindStart, interval }: ScheduleOptions): boolean =>
  interval !== undefined && Boolean(remind ?? remindStart);

/** The event's series after the options: its own repetition by `--interval`, or how often that of its words comes. */
export function seriesWith(series: Series, options: ScheduleOptions, duration: number, { language }: ToolCall): Series {
  const { interval, times } = options;
  if (isForReminder(options)) {
    if (isRepeating(series)) throw new UsageError(messages(language).schedule.reminderRepeatsWithEvent);
    return series;
  }
  if (interval === undefined) {
    if (times === undefined) return series;
    if (series.rrule === null && series.interval_minutes === null)
      throw new UsageError(messages(language).schedule.timesNeedInterval);
    return endingAfter(series, times);
  }
  if (series.rrule !== null) throw new UsageError(messages(language).schedule.timeRepeats);
  if (interval < duration) throw new UsageError(messages(language).schedule.intervalTooShort(duration, interval));
  return {
    ...series,
    interval_minutes: interval,
    times: times ?? (series.interval_minutes === null ? -1 : series.times),
  };
}

/** The reminders that the options ask for, each `lead_ms` before its event; one that could never come is a `UsageError`. */
export function remindersWith(event: ScheduleFields, options: ScheduleOptions, call: ToolCall): ReminderPlan[] {
  const { remind, remindStart, interval, times } = options;
  const own: Series = {
    ...event.series,
    interval_minutes: interval ?? null,
    rrule: null,
    times: interval ? (times ?? -1) : 1,
  };
  const plan = (at: number, nags: boolean): ReminderPlan => ({
    session_id: call.session_id,
    text: event.title,
    series: nags ? own : event.series,
    lead_ms: event.series.first_at - at,
    nags,
    repeats: event.repeats,
  });
  const nags = isForReminder(options);
  const plans: ReminderPlan[] = [];
  if (remind) plans.push(plan(remind, nags && !remindStart));
  if (remindStart) plans.push(plan(remindStart, nags));
  if (plans.every((each) => nextReminder(each, call.now) !== null)) return plans;
  throw new UsageError(messages(call.language).schedule.reminderNeverDue);
}
