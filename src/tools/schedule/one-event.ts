import { messages } from '../../../contracts/messages/messages.ts';
import { readId, refuseMore, UsageError, type Word } from '../command-line.ts';
import type { ToolCall } from '../port.ts';
import type { ReminderStore } from '../reminders.ts';
import type { ScheduleEvent, ScheduleStore } from './schedule-store.ts';
import { formatEvent, shownOccurrence } from './schedule-text.ts';

/** What the schedule's commands read and write. */
export interface ScheduleStores {
  events: ScheduleStore;
  reminders: ReminderStore;
}

/** Names an event's reminders. */
export const subjectOf = (id: number, { owner }: ToolCall) => ({ owner, subject: 'schedule', subject_id: id }) as const;

/** The event of that id, or a `UsageError`: what another owner has is not there. */
export function existingEvent({ events }: ScheduleStores, word: Word | undefined, call: ToolCall): ScheduleEvent {
  const id = readId(word, call.language);
  const event = Number.isFinite(id) ? events.get(call.owner, id) : null;
  if (event) return event;
  const name = word!.text.replace(/^#?/, '#').slice(0, 20);
  throw new UsageError(messages(call.language).schedule.notFound(name));
}

/** An event's line, at the time that is on or comes next. */
export const lineOf = ({ reminders }: ScheduleStores, event: ScheduleEvent, call: ToolCall): string =>
  formatEvent(event, shownOccurrence(event, call.now), reminders.of(subjectOf(event.id, call)), call);

/** `get <id>` */
export function getEvent(stores: ScheduleStores, words: Word[], call: ToolCall): string {
  const event = existingEvent(stores, words[0], call);
  refuseMore(words.slice(1), call.language);
  return lineOf(stores, event, call);
}

/** `delete <id>`, with its reminders. */
export function deleteEvent(stores: ScheduleStores, words: Word[], call: ToolCall): string {
  const event = existingEvent(stores, words[0], call);
  refuseMore(words.slice(1), call.language);
  stores.reminders.replace(subjectOf(event.id, call), [], call.now);
  stores.events.remove(call.owner, event.id);
  return messages(call.language).schedule.deleted(event.id, event.title);
}
