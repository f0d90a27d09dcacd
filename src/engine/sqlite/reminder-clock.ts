import type { Database } from 'better-sqlite3';
import type { Logger } from 'pino';
import type { SessionEvent } from '../../../contracts/event.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import { appendEntry } from './append-entry.ts';
import { prepareStatements } from './statements.ts';

/** Longest that one timer may run, in milliseconds: Node fires at once above 2^31 - 1, and a clock may jump meanwhile. */
const TIMER_MAX_MS = 60_000;

/** Reminders that fire in one transaction. */
const BATCH = 100;

/** A reminder that is due, for the session that it was made in. */
type DueReminder = Omit<Extract<SessionEvent, { type: 'reminder.due' }>, 'type'> & {
  owner: string;
  session_id: string;
};

/** Where reminders are kept. */
export interface Reminders {
  /** When the soonest is due, in epoch milliseconds; null when there is none. */
  nextDue(): number | null;
  /** Takes those that are due, inside the caller's transaction, so that each is given out once; one from before `upSince` is late. */
  takeDue(now: number, limit: number, upSince: number): DueReminder[];
}

/** Fires reminders as session events when they come due (SPEC 8). */
export interface ReminderClock {
  /** Looks again: a reminder may have been made or changed. Does nothing once stopped. */
  rearm(): void;
  stop(): void;
}

interface Parts {
  db: Database;
  reminders: Reminders;
  /** Tells the engine that a session got entries up to `seq`. */
  appended(sessionRow: number, seq: number): void;
  now(): number;
  log: Logger;
}

const eventOf = ({ owner: _, session_id: __, ...due }: DueReminder): SessionEvent => ({ type: 'reminder.due', ...due });

/** Starts the clock. Each reminder is taken and written down in one transaction, so it fires once, also after a restart. */
export const startReminderClock = ({ db, reminders, appended, now, log }: Parts): ReminderClock => {
  const statements = prepareStatements(db);
  const machine = statements.machineId.get(MACHINE)!.id;
  const startedAt = now();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const take = db.transaction((): { row: number; seq: number }[] =>
    reminders.takeDue(now(), BATCH, startedAt).flatMap((due) => {
      const session = statements.sessionByName.get(due.owner, due.session_id);
      if (session === undefined) return [];
      const seq = (statements.lastSeq.get(session.id)?.seq ?? 0) + 1;
      const event = JSON.stringify(eventOf(due));
      appendEntry(statements, [session.id, seq, null, now(), machine, null, null, event, null]);
      return [{ row: session.id, seq }];
    }),
  );

  const fire = (): void => {
    try {
      for (const { row, seq } of take.immediate()) appended(row, seq);
    } catch (error) {
      log.error({ err: error }, 'reminders can not be written; trying again');
      timer = setTimeout(fire, TIMER_MAX_MS);
      return;
    }
    rearm();
  };

  const rearm = (): void => {
    clearTimeout(timer);
    if (isStopped) return;
    const next = reminders.nextDue();
    if (next === null) return;
    timer = setTimeout(fire, Math.min(Math.max(next - now(), 0), TIMER_MAX_MS));
    timer.unref();
  };

  rearm();
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { rearm, stop };
};
