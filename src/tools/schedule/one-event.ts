import { messages } from '../../../contracts/messages/messages.ts';
import type { Asking } from '../../store/questions.ts';
import { readId, refuseMore, someIds, UsageError, type Word } from '../command-line.ts';
import type { ToolCall } from '../port.ts';
import { reminderStore } from '../reminders.ts';
import { type ScheduleEvent, scheduleStore } from './schedule-store.ts';
import { formatEvent, shownOccurrence } from './schedule-text.ts';

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

/** `delete <id>…`, with their reminders. None is deleted where one does not exist. */
export function* deleteEvents(words: Word[], call: ToolCall): Asking<string> {
  const events: ScheduleEvent[] = [];
  for (const word of someIds(words, call.language)) events.push(yield* existingEvent(word, call));
  const lines: string[] = [];
  for (const { id, title } of new Map(events.map((each) => [each.id, each])).values()) {
    yield* reminderStore.replace(subjectOf(id, call), [], call.now);
    yield* scheduleStore.remove(call.owner, id);
    lines.push(messages(call.language).schedule.deleted(id, title));
  }
  return lines.join('\n');
}
