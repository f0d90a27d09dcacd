import type { Database } from 'better-sqlite3';
import type { SessionEvent } from '../../contracts/event.ts';
import { nextOccurrence, type Series } from './when/series.ts';

/** How long after its time a reminder still counts as punctual, in milliseconds: a busy service wakes within it. */
export const REMINDER_GRACE_MS = 60_000;

/** A reminder that has come due: what its `reminder.due` event says, and whose session that event goes to. */
export interface DueReminder extends Omit<Extract<SessionEvent, { type: 'reminder.due' }>, 'type'> {
  owner: string;
  session_id: string;
}

/** What a reminder belongs to: one todo or schedule event of one owner. */
export interface ReminderSubject {
  owner: string;
  subject: 'todo' | 'schedule';
  subject_id: number;
}

/** When and how often a reminder comes: `lead_ms` before each time of the series, or before the first alone (`repeats` false). */
export interface ReminderPlan {
  session_id: string;
  text: string;
  series: Series;
  lead_ms: number;
  /** Its series is its own ("every 10 minutes from 14:30"), not that of its subject. */
  nags: boolean;
  repeats: boolean;
}

/** A reminder as it is kept. `due_at` is the next time in epoch milliseconds; null when it is over. */
export interface Reminder extends ReminderPlan {
  due_at: number | null;
}

/** The owners' reminders. It never sends one: the engine takes what is due and writes the session events. */
export interface ReminderStore {
  /** When the soonest reminder of all owners comes, epoch milliseconds; null when there is none. */
  nextDue(): number | null;
  /**
   * Takes at most `limit` reminders that are due at `now` (epoch milliseconds), soonest first, and moves each to its next time after `now`, or
   * ends it. To be called in the transaction that writes their events: so each comes once, also after a restart. Times that
   * were missed come as one, marked late; so does a time before `upSince`, when the service was down.
   */
  takeDue(now: number, limit: number, upSince?: number): DueReminder[];
  /** Puts a subject's reminders in place of those it had; each is next due at its first time after `now`. */
  replace(subject: ReminderSubject, plans: ReminderPlan[], now: number): void;
  /** Gives a subject's reminders its new text; when they come stays as it is. */
  rename(subject: ReminderSubject, text: string): void;
  /** A subject's reminders, those that are over too, in the order they were made. */
  of(subject: ReminderSubject): Reminder[];
}

/** When a reminder comes next after `now`, epoch milliseconds; null when it never does. */
export function nextReminder({ series, lead_ms, repeats }: ReminderPlan, now: number): number | null {
  const next = nextOccurrence(repeats ? series : { ...series, times: 1 }, now + lead_ms);
  return next === null ? null : next - lead_ms;
}

interface ReminderRow extends Series {
  id: number;
  owner: string;
  session_id: string;
  subject: 'todo' | 'schedule';
  subject_id: number;
  text: string;
  nags: 0 | 1;
  repeats: 0 | 1;
  lead_ms: number;
  due_at: number | null;
}

const planOf = ({ session_id, text, nags, repeats, lead_ms, ...row }: ReminderRow): ReminderPlan => ({
  session_id,
  text,
  nags: nags === 1,
  repeats: repeats === 1,
  lead_ms,
  series: {
    first_at: row.first_at,
    interval_minutes: row.interval_minutes,
    rrule: row.rrule,
    timezone: row.timezone,
    times: row.times,
  },
});

/** Opens the reminders of a database that has migration 002. It begins no transaction of its own. */
export function createReminderStore(db: Database): ReminderStore {
  const soonest = db.prepare('SELECT min(due_at) FROM reminders WHERE due_at IS NOT NULL').pluck();
  const due = db.prepare<[number, number], ReminderRow & { due_at: number }>(
    'SELECT * FROM reminders WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
  );
  const move = db.prepare('UPDATE reminders SET due_at = ? WHERE id = ?');
  const rename = db.prepare(
    'UPDATE reminders SET text = @text WHERE owner = @owner AND subject = @subject AND subject_id = @subject_id',
  );
  const remove = db.prepare(
    'DELETE FROM reminders WHERE owner = @owner AND subject = @subject AND subject_id = @subject_id',
  );
  const ofSubject = db.prepare<[ReminderSubject], ReminderRow>(
    'SELECT * FROM reminders WHERE owner = @owner AND subject = @subject AND subject_id = @subject_id ORDER BY id',
  );
  const insert = db.prepare(
    `INSERT INTO reminders (owner, session_id, subject, subject_id, text, nags, first_at, interval_minutes, rrule, timezone, times,
       repeats, lead_ms, due_at)
     VALUES (@owner, @session_id, @subject, @subject_id, @text, @nags, @first_at, @interval_minutes, @rrule, @timezone, @times,
       @repeats, @lead_ms, @due_at)`,
  );

  return {
    nextDue: () => soonest.get() as number | null,
    takeDue: (now, limit, upSince = 0) =>
      due.all(now, limit).map((row) => {
        const plan = planOf(row);
        const next = nextReminder(plan, row.due_at);
        const missedMore = next !== null && next <= now;
        move.run(missedMore ? nextReminder(plan, now) : next, row.id);
        return {
          owner: row.owner,
          session_id: row.session_id,
          reminder_id: row.id,
          subject: row.subject,
          subject_id: row.subject_id,
          text: row.text,
          due_at: new Date(row.due_at).toISOString(),
          late: missedMore || row.due_at < upSince || now - row.due_at > REMINDER_GRACE_MS,
        };
      }),
    replace: (subject, plans, now) => {
      remove.run(subject);
      for (const plan of plans)
        insert.run({
          ...subject,
          ...plan.series,
          session_id: plan.session_id,
          text: plan.text,
          nags: plan.nags ? 1 : 0,
          repeats: plan.repeats ? 1 : 0,
          lead_ms: plan.lead_ms,
          due_at: nextReminder(plan, now),
        });
    },
    rename: (subject, text) => {
      rename.run({ ...subject, text });
    },
    of: (subject) => ofSubject.all(subject).map((row) => ({ ...planOf(row), due_at: row.due_at })),
  };
}
