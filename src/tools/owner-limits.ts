import { REMINDERS_MAX, REPEATING_EVENTS_MAX, SCHEDULE_EVENTS_MAX, TODOS_MAX } from '../../contracts/limits.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { Asking } from '../store/questions.ts';
import { isRepeating } from '../when/series.ts';
import { UsageError } from './command-line.ts';
import type { ToolCall } from './port.ts';
import { type ReminderPlan, type ReminderSubject, reminderStore } from './reminders.ts';
import { seriesInForce } from './schedule/occurrences.ts';
import { type ScheduleFields, scheduleStore } from './schedule/schedule-store.ts';
import { todoStore } from './todo/todo-store.ts';

/** Throws a `UsageError` where the caller has as many todos as an owner may have. */
export function* refuseTodoBeyondLimit({ owner, language }: ToolCall): Asking<void> {
  if (yield* todoStore.hasAsMany(owner, TODOS_MAX)) throw new UsageError(messages(language).todo.tooMany(TODOS_MAX));
}

/** Throws a `UsageError` where an event would be one too many: a new one (`id` null), or one more that repeats. */
export function* refuseEventBeyondLimit(event: ScheduleFields, id: number | null, call: ToolCall): Asking<void> {
  const { total, repeating } = yield* scheduleStore.count(call.owner, id);
  const text = messages(call.language).schedule;
  if (id === null && total >= SCHEDULE_EVENTS_MAX) throw new UsageError(text.tooMany(SCHEDULE_EVENTS_MAX));
  if (isRepeating(seriesInForce(event)) && repeating >= REPEATING_EVENTS_MAX)
    throw new UsageError(text.tooManyRepeating(REPEATING_EVENTS_MAX));
}

/** Puts reminders in place of those that a subject had; a `UsageError` where the owner would have too many that are to come. */
export function* setReminders(subject: ReminderSubject, plans: ReminderPlan[], call: ToolCall): Asking<void> {
  if (plans.length > 0 && (yield* reminderStore.countOthers(subject)) + plans.length > REMINDERS_MAX)
    throw new UsageError(messages(call.language).commandLine.tooManyReminders(REMINDERS_MAX));
  yield* reminderStore.replace(subject, plans, call.now);
}
