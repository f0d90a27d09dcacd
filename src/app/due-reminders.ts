import type { AddressedEvent } from '../engine/port.ts';
import type { Asking } from '../owner-data/port.ts';
import { reminderStore } from '../tools/reminders.ts';

/** Most sessions whose reminders are taken in one transaction. */
const SESSIONS_MAX = 100;

/** Takes reminders that are due, of the sessions with the soonest first, as the events of those sessions. */
export function* takeDueReminders(now: number, upSince: number): Asking<AddressedEvent[]> {
  const due: AddressedEvent[] = [];
  for (const session of yield* reminderStore.sessionsWithDue(now, SESSIONS_MAX))
    for (const event of yield* reminderStore.takeDueOf(session, now, upSince)) due.push({ ...session, event });
  return due;
}
