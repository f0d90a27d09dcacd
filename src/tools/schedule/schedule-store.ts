import type { ScheduleEventView } from '../../../contracts/http.ts';
import { iso } from '../../lib/iso-time.ts';
import { type Queries, query } from '../../lib/queries.ts';
import { isRepeating, type Series } from '../../when/series.ts';
import { nextId, ownedRows } from '../owned-items.ts';

const MINUTE_MS = 60_000;

/** An event: its times (`series`), its length, and whether its repetition is switched on. */
export interface ScheduleFields {
  title: string;
  series: Series;
  duration_minutes: number;
  /** False: only the first time counts. */
  repeats: boolean;
}

export interface ScheduleEvent extends ScheduleFields {
  id: number;
}

/** An event as the API shows it. */
export const eventView = ({ id, title, series, duration_minutes, repeats }: ScheduleEvent): ScheduleEventView => ({
  id,
  title,
  start: iso(series.first_at),
  end: iso(series.first_at + duration_minutes * MINUTE_MS),
  timezone: series.timezone,
  rule: series.rrule,
  interval_minutes: series.interval_minutes,
  times: series.times === -1 ? null : series.times,
  repeats: repeats && isRepeating(series),
});

type ScheduleRow = Series & { id: number; title: string; duration_minutes: number; repeats: 0 | 1 };

const eventOf = ({ id, title, duration_minutes, repeats, ...series }: ScheduleRow): ScheduleEvent => ({
  id,
  title,
  duration_minutes,
  repeats: repeats === 1,
  series,
});

const rowOf = ({ title, duration_minutes, repeats, series }: ScheduleFields) => ({
  title,
  duration_minutes,
  repeats: repeats ? 1 : 0,
  ...series,
});

const COLUMNS = 'id, title, start_at AS first_at, duration_minutes, interval_minutes, rrule, timezone, times, repeats';

const REPEATS = 'repeats = 1 AND (interval_minutes IS NOT NULL OR rrule IS NOT NULL)';

const table = ownedRows('schedule_events', COLUMNS, eventOf);

/** Events of one owner at a time. Ids of other owners do not exist here. */
export const scheduleStore = {
  ...table,
  /** Stores a new event and returns its id. Ids are never reused. */
  *add(owner: string, fields: ScheduleFields, now: number): Queries<number> {
    const id = yield* nextId(owner, 'schedule');
    yield* query(
      `INSERT INTO schedule_events
         (owner, id, title, start_at, duration_minutes, interval_minutes, rrule, timezone, times, repeats, created_at)
       VALUES (@owner, @id, @title, @first_at, @duration_minutes, @interval_minutes, @rrule, @timezone, @times, @repeats, @now)`,
      { owner, id, ...rowOf(fields), now },
    );
    return id;
  },
  /** The number of the owner's events, and of the repeating ones other than the one with that id. */
  *count(owner: string, id: number | null): Queries<{ total: number; repeating: number }> {
    const repeating = `count(*) FILTER (WHERE ${REPEATS} AND id <> @id) AS repeating`;
    const sql = `SELECT count(*) AS total, ${repeating} FROM schedule_events WHERE owner = @owner`;
    return (yield* query<{ total: number; repeating: number }>(sql, { owner, id: id ?? 0 }))[0]!;
  },
  *update(owner: string, id: number, fields: ScheduleFields): Queries<void> {
    yield* query(
      `UPDATE schedule_events SET title = @title, start_at = @first_at, duration_minutes = @duration_minutes,
         interval_minutes = @interval_minutes, rrule = @rrule, timezone = @timezone, times = @times, repeats = @repeats
       WHERE owner = @owner AND id = @id`,
      { owner, id, ...rowOf(fields) },
    );
  },
  all: (owner: string): Queries<ScheduleEvent[]> => table.rows('ORDER BY id', { owner }),
  /** The repeating events, and those that take place between two instants (epoch milliseconds). */
  candidates(owner: string, from: number, to: number): Queries<ScheduleEvent[]> {
    const isTouched = `(${REPEATS}) OR start_at + duration_minutes * ${MINUTE_MS} > @from`;
    return table.rows(`AND start_at < @to AND (${isTouched}) ORDER BY start_at, id`, { owner, from, to });
  },
};
