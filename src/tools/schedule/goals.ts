import type { GoalView } from '../../../contracts/goal.ts';
import { GOAL_CHARS_MAX, GOALS_AT_ONCE, GOALS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { plainLine } from '../../../contracts/text.ts';
import { iso } from '../../lib/iso-time.ts';
import { execute, type Queries, query } from '../../lib/queries.ts';
import { formatTime } from '../../when/format-when.ts';
import { isRepeating, nextOccurrence, occurrencesBetween, type Series } from '../../when/series.ts';
import { type Arguments, listText, refuseMore, textOf, UsageError, type Word } from '../command-line.ts';
import { existingIn, nextId, onEach, ownedRows } from '../owned-items.ts';
import type { ToolCall } from '../port.ts';
import { type ReminderSession, timeAfter } from '../reminders.ts';
import { scheduleOptions, seriesAt, seriesWith, takeEventTime, takeScheduleOptions } from './change-schedule.ts';
import { scheduleMessages } from './messages.ts';
import { describeSeries } from './show-schedule.ts';

/** A scheduled goal as stored, with occurrences still to come; epoch milliseconds. */
export interface Goal {
  id: number;
  /** The session in which its tasks open. */
  session_id: string;
  goal: string;
  series: Series;
  callback_url: string | null;
  due_at: number;
  /** The turn of the last time that was not skipped. */
  last_turn_id: string | null;
  created_at: number;
}

type GoalRow = Series & Omit<Goal, 'series'>;

const COLUMNS = `id, session_id, goal, first_at, interval_minutes, rrule, timezone, times, callback_url, due_at, last_turn_id, created_at`;

const goalOf = ({ first_at, interval_minutes, rrule, timezone, times, ...row }: GoalRow): Goal => ({
  ...row,
  series: { first_at, interval_minutes, rrule, timezone, times },
});

/** The goal's last turn, if that turn or its task is not over. */
const UNFINISHED = `(SELECT u.turn_id FROM turns u LEFT JOIN tasks t ON {t.owner = u.owner AND} t.id = u.task
  WHERE u.owner = goals.owner AND u.turn_id = goals.last_turn_id
    AND (u.finished_at IS NULL OR t.state IN ('running', 'awaiting_user')))`;

const table = ownedRows('goals', COLUMNS, goalOf);

/** The owners' goals. Never opens a task: the engine takes due ones and adds the turns. */
export const goalStore = {
  ...table,
  /** Stores a new goal; null: the owner has reached the limit. */
  *add(owner: string, fields: Omit<Goal, 'id' | 'last_turn_id' | 'created_at'>, now: number): Queries<Goal | null> {
    const [known] = yield* query<{ count: number }>('SELECT count(*) AS count FROM goals WHERE owner = @owner', {
      owner,
    });
    if (known!.count >= GOALS_MAX) return null;
    const goal: Goal = { ...fields, id: yield* nextId(owner, 'goal'), last_turn_id: null, created_at: now };
    const { series, ...row } = goal;
    yield* execute(
      `INSERT INTO goals (owner, ${COLUMNS}) VALUES (@owner, @id, @session_id, @goal, @first_at, @interval_minutes, @rrule,
         @timezone, @times, @callback_url, @due_at, @last_turn_id, @created_at)`,
      { owner, ...row, ...series },
    );
    return goal;
  },
  /** Stores what was edited of a goal. Its session and its last turn stay. */
  *edit(owner: string, { id, goal, series, callback_url, due_at }: Goal): Queries<void> {
    yield* execute(
      `UPDATE goals SET goal = @goal, first_at = @first_at, interval_minutes = @interval_minutes, rrule = @rrule,
         timezone = @timezone, times = @times, callback_url = @callback_url, due_at = @due_at
       WHERE owner = @owner AND id = @id`,
      { owner, id, goal, callback_url, due_at, ...series },
    );
  },
  /**
   * Takes a session's goals that are due at `now`, soonest first, in the transaction of their turns, and advances each.
   * Missed times become a single late one.
   */
  *takeDueOf({ owner, session_id }: ReminderSession, now: number, upSince: number) {
    const rows = yield* query<GoalRow & { unfinished: string | null }>(
      `SELECT ${COLUMNS}, ${UNFINISHED} AS unfinished FROM goals
       WHERE owner = @owner AND session_id = @session_id AND due_at <= @now ORDER BY due_at, id LIMIT ${GOALS_AT_ONCE}`,
      { owner, session_id, now },
    );
    const taken = [];
    for (const { unfinished, ...row } of rows) {
      const { id, goal, callback_url, due_at, series } = goalOf(row);
      const { next_at, late } = timeAfter(due_at, { now, upSince }, (after) => nextOccurrence(series, after));
      if (next_at === null) yield* table.remove(owner, id);
      else
        yield* execute('UPDATE goals SET due_at = @next_at WHERE owner = @owner AND id = @id', { owner, id, next_at });
      taken.push({ id, goal, callback_url, due_at, late, isUnfinished: unfinished !== null });
    }
    return taken;
  },
  *started(owner: string, id: number, turn_id: string): Queries<void> {
    yield* execute('UPDATE goals SET last_turn_id = @turn_id WHERE owner = @owner AND id = @id', {
      owner,
      id,
      turn_id,
    });
  },
};

/** How a goal repeats, as the API shows it. */
export const repetitionOf = ({ timezone, rrule, interval_minutes, times }: Series) => ({
  timezone,
  rule: rrule,
  interval_minutes,
  times: times === -1 ? null : times,
});

export const goalView = ({ series, due_at, created_at, ...goal }: Goal): GoalView => ({
  ...goal,
  due_at: iso(due_at),
  ...repetitionOf(series),
  created_at: iso(created_at),
});

export const goalOptions = { interval: scheduleOptions['interval']!, times: scheduleOptions['times']! };

const LINE_CHARS_MAX = 200;

const lineOf = ({ id, goal, series, due_at }: Goal, call: ToolCall): string => {
  const repetition = isRepeating(series) ? `  ${describeSeries(series, call.language)}` : '';
  return `#${id} ${plainLine(goal, LINE_CHARS_MAX)}  ${formatTime(due_at, call)}${repetition}`;
};

/** Takes the time at the start of the words, and the options. Throws `UsageError`, also where all of it has passed. */
export function takeGoalTimes(given: Arguments, call: ToolCall): Pick<Goal, 'series' | 'due_at'> {
  const options = takeScheduleOptions(given, call);
  const time = textOf(given.words);
  const when = takeEventTime(given, call);
  if (when.minutes !== null) throw new UsageError(messages(call.language).when.unreadable(time));
  const series = seriesWith(seriesAt(when), options, 1, call);
  const due_at = nextOccurrence(series, call.now);
  if (due_at === null) throw new UsageError(scheduleMessages(call.language).goals.passed);
  return { series, due_at };
}

/** The first `count` times of a goal, epoch milliseconds. */
export const firstTimes = ({ series, due_at }: Pick<Goal, 'series' | 'due_at'>, count: number): number[] =>
  occurrencesBetween(series, due_at, Number.POSITIVE_INFINITY, count);

/** Reads the time at the start of the words; the goal is the rest of them. Throws `UsageError`. */
function readGoal(given: Arguments, call: ToolCall): Omit<Goal, 'id' | 'last_turn_id' | 'created_at'> {
  const texts = scheduleMessages(call.language).goals;
  const { series, due_at } = takeGoalTimes(given, call);
  const goal = textOf(given.words);
  if (goal === '') throw new UsageError(texts.missing);
  if (goal.length > GOAL_CHARS_MAX) throw new UsageError(texts.tooLong(GOAL_CHARS_MAX));
  return { session_id: call.session_id, goal, series, callback_url: call.command?.callback_url ?? null, due_at };
}

/** `goal <when> <goal> [--interval min] [--times n]` */
export function* addGoal(given: Arguments, call: ToolCall): Queries<string> {
  const texts = scheduleMessages(call.language).goals;
  const goal = yield* goalStore.add(call.owner, readGoal(given, call), call.now);
  if (goal === null) throw new UsageError(texts.full(GOALS_MAX));
  return texts.added(lineOf(goal, call));
}

const existing = existingIn(goalStore.get, (language) => scheduleMessages(language).goals);

function* remove(goal: Goal, call: ToolCall): Queries<string> {
  yield* goalStore.remove(call.owner, goal.id);
  return scheduleMessages(call.language).goals.deleted(lineOf(goal, call));
}

const removeEach = onEach<Goal>((word: Word, call) => existing(word, call), remove);

/** `goals [delete <id>…]`: the owner's goals in all sessions, soonest first. */
export function* showGoals({ words: [verb, ...words], options }: Arguments, call: ToolCall): Queries<string> {
  if (verb?.text.toLowerCase() === 'delete') return yield* removeEach({ words, options }, call);
  refuseMore(verb === undefined ? [] : [verb], call.language);
  const goals = yield* goalStore.rows('ORDER BY id', { owner: call.owner });
  const texts = scheduleMessages(call.language).goals;
  const lines = goals.sort((a, b) => a.due_at - b.due_at).map((goal) => lineOf(goal, call));
  return goals.length === 0 ? texts.emptyList : listText(texts.list, lines, goals.length, call.language);
}
