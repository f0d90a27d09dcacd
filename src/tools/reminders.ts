import type { SessionEvent } from '../../contracts/event.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { iso } from '../lib/iso-time.ts';
import { type Queries, query } from '../lib/queries.ts';
import { nextOccurrence, type Series } from '../when/series.ts';
import { UsageError } from './command-line.ts';
import type { ToolCall } from './port.ts';

/** An owner's pending reminders: each becomes an event that the service writes and a user reads. */
export const REMINDERS_MAX = 1_000;

/** How long after its time a reminder still counts as punctual, in milliseconds: a busy service wakes within it. */
const GRACE_MS = 60_000;

/**
 * Most reminders of one session in one transaction. Each is an entry of its trace, and computing its next time from a
 * rule takes up to 0.5 ms.
 */
const REMINDERS_TAKEN_MAX = 25;

export type ReminderDue = Extract<SessionEvent, { type: 'reminder.due' }>;

/** The session in which a reminder was made and to which its event goes. */
export type ReminderSession = Pick<ToolCall, 'owner' | 'session_id'>;

/** The subject of a reminder: one todo or schedule event of one owner. */
export interface ReminderSubject {
  owner: string;
  subject: 'todo' | 'schedule';
  subject_id: number;
}

/**
 * When and how often a reminder comes: `lead_ms` before each time of the series, or only before the first (`repeats`
 * false).
 */
export interface ReminderPlan {
  session_id: string;
  text: string;
  series: Series;
  lead_ms: number;
  /** It has its own series ("every 10 minutes from 14:30"), not that of its subject. */
  nags: boolean;
  repeats: boolean;
}

/** A reminder as stored. `due_at` is its next time in epoch milliseconds; null once it has ended. */
export interface Reminder extends ReminderPlan {
  due_at: number | null;
}

/** When a reminder comes next after `now`, in epoch milliseconds; null: never. */
export function nextReminder({ series, lead_ms, repeats }: ReminderPlan, now: number): number | null {
  const next = nextOccurrence(repeats ? series : { ...series, times: 1 }, now + lead_ms);
  return next === null ? null : next - lead_ms;
}

/**
 * The next time after one that has come, later than `now` (null: it was the last), and whether it came late, for
 * example because it was due before `upSince`. Epoch milliseconds.
 */
export const timeAfter = (
  due_at: number,
  { now, upSince }: { now: number; upSince: number },
  next: (after: number) => number | null,
): { next_at: number | null; late: boolean } => {
  const following = next(due_at);
  const missedMore = following !== null && following <= now;
  const late = missedMore || due_at < upSince || now - due_at > GRACE_MS;
  return { next_at: missedMore ? next(now) : following, late };
};

interface ReminderRow extends Series, ReminderSubject, Omit<Reminder, 'series' | 'nags' | 'repeats'> {
  id: number;
  nags: 0 | 1;
  repeats: 0 | 1;
}

const reminderOf = (row: ReminderRow): Reminder => {
  const { session_id, text, nags, repeats, lead_ms, due_at } = row;
  const { first_at, interval_minutes, rrule, timezone, times } = row;
  const series = { first_at, interval_minutes, rrule, timezone, times };
  return { session_id, text, series, lead_ms, nags: nags === 1, repeats: repeats === 1, due_at };
};

/** Cast, because SQLite would otherwise replan every call against the index of due reminders. */
const OF_KIND = 'owner = CAST(@owner AS TEXT) AND subject = CAST(@subject AS TEXT)';
const OF_SUBJECT = `${OF_KIND} AND subject_id = CAST(@subject_id AS BIGINT)`;

/** The owners' reminders. Never sends one: the engine takes due ones and writes the session events. */
export const reminderStore = {
  /**
   * Takes a session's reminders that are due at `now`, soonest first, in the transaction of their events, and advances
   * each. Missed times become a single late one.
   */
  *takeDueOf({ owner, session_id }: ReminderSession, now: number, upSince: number): Queries<ReminderDue[]> {
    const rows = yield* query<ReminderRow & { due_at: number }>(
      `SELECT * FROM reminders WHERE owner = @owner AND session_id = @session_id AND due_at <= @now
       ORDER BY due_at, id LIMIT ${REMINDERS_TAKEN_MAX}`,
      { owner, session_id, now },
    );
    const taken: ReminderDue[] = [];
    for (const row of rows) {
      const plan = reminderOf(row);
      const { next_at, late } = timeAfter(row.due_at, { now, upSince }, (after) => nextReminder(plan, after));
      yield* query('UPDATE reminders SET due_at = @due_at WHERE {owner = @owner AND} id = @id', {
        owner,
        due_at: next_at,
        id: row.id,
      });
      const { id, subject, subject_id, text } = row;
      taken.push({ type: 'reminder.due', reminder_id: id, subject, subject_id, text, due_at: iso(row.due_at), late });
    }
    return taken;
  },
  /** Replaces a subject's reminders. Each is next due at its first time after `now`. */
  *replace({ owner, subject, subject_id }: ReminderSubject, plans: ReminderPlan[], now: number): Queries<void> {
    yield* query(`DELETE FROM reminders WHERE ${OF_SUBJECT}`, { owner, subject, subject_id });
    for (const plan of plans)
      yield* query(
        `INSERT INTO reminders (owner, session_id, subject, subject_id, text, nags, first_at, interval_minutes, rrule, timezone,
           times, repeats, lead_ms, due_at)
         VALUES (@owner, @session_id, @subject, @subject_id, @text, @nags, @first_at, @interval_minutes, @rrule, @timezone,
           @times, @repeats, @lead_ms, @due_at)`,
        {
          owner,
          subject,
          subject_id,
          session_id: plan.session_id,
          text: plan.text,
          ...plan.series,
          nags: plan.nags ? 1 : 0,
          repeats: plan.repeats ? 1 : 0,
          lead_ms: plan.lead_ms,
          due_at: nextReminder(plan, now),
        },
      );
  },
  /** The number of the owner's pending reminders, excluding those of the subject itself. */
  *countOthers({ owner, subject, subject_id }: ReminderSubject): Queries<number> {
    const sql = `SELECT count(*) AS count FROM reminders WHERE owner = @owner AND due_at IS NOT NULL AND NOT (${OF_SUBJECT})`;
    return (yield* query<{ count: number }>(sql, { owner, subject, subject_id }))[0]!.count;
  },
  /** Gives a subject's reminders its new text. Their times stay. */
  *rename({ owner, subject, subject_id }: ReminderSubject, text: string): Queries<void> {
    yield* query(`UPDATE reminders SET text = @text WHERE ${OF_SUBJECT}`, { owner, subject, subject_id, text });
  },
  *of(subject: ReminderSubject): Queries<Reminder[]> {
    return (yield* reminderStore.ofEach(subject, [subject.subject_id])).get(subject.subject_id) ?? [];
  },
  /**
   * The reminders of subjects by subject id, including past ones, in the order of their creation. Subjects without
   * reminders are absent.
   */
  *ofEach({ owner, subject }: Omit<ReminderSubject, 'subject_id'>, ids: number[]): Queries<Map<number, Reminder[]>> {
    const rows = yield* query<ReminderRow>(
      `SELECT * FROM reminders WHERE ${OF_KIND} AND subject_id IN
         (SELECT CAST(wanted.value AS BIGINT) FROM json_each(@ids) wanted) ORDER BY id`,
      { owner, subject, ids: JSON.stringify(ids) },
    );
    const bySubject = Map.groupBy(rows, ({ subject_id }) => subject_id);
    return new Map([...bySubject].map(([id, own]) => [id, own.map(reminderOf)]));
  },
};

/** Replaces a subject's reminders. Throws a `UsageError` if the owner would have too many pending ones. */
export function* setReminders(subject: ReminderSubject, plans: ReminderPlan[], call: ToolCall): Queries<void> {
  if (plans.length > 0 && (yield* reminderStore.countOthers(subject)) + plans.length > REMINDERS_MAX)
    throw new UsageError(messages(call.language).commandLine.tooManyReminders(REMINDERS_MAX));
  yield* reminderStore.replace(subject, plans, call.now);
}
