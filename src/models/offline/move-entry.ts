import { type FoundTimes, saysTime } from '../../when/find-times.ts';
import { temporal } from '../../when/temporal.ts';
import { quoted } from './command-line.ts';
import { type Entry, entriesIn, theEntry } from './entries.ts';
import type { Request } from './request.ts';
import { settleTime } from './settle-time.ts';
import { call, type Outcome, type Work, type WorkContext } from './work.ts';

const DATE_AND_CLOCK = /(\d{4}-\d{2}-\d{2})(?: (\d{2}):(\d{2}))?/;
const REPETITION = / {2}((?:every |每|隔)(?:(?! {2})[^\n])*)/u;

const shifted = (date: string, clock: string, minutes: number): string =>
  temporal()
    .PlainDateTime.from(`${date}T${clock}`)
    .add({ minutes })
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');

/** The new time with what it leaves out taken from the entry: "to 4pm" stays on its day, "to Friday" at its hour. */
const filledIn = (to: FoundTimes, { details }: Entry): FoundTimes => {
  const [, date, hour, minute] = DATE_AND_CLOCK.exec(details) ?? [];
  const repetition = REPETITION.exec(details)?.[1];
  if (to.instant !== null || !saysTime(to)) return to;
  const own = hour === undefined ? null : { hour: Number(hour), minute: Number(minute), part: null, isPadded: true };
  const isSameHour = to.clock === null && to.part === null;
  return {
    ...to,
    day: to.day ?? repetition ?? date ?? null,
    repeats: to.day === null ? repetition !== undefined : to.repeats,
    clock: isSameHour ? own : to.clock,
  };
};

/** Moves an event, or when a todo is due, to another time; what its new time does not say stays as it is. */
export function* moveEntry(
  { target, to, isEarlier }: Extract<Request, { kind: 'move' }>,
  context: WorkContext,
): Work<Outcome> {
  const { messages } = context;
  const entry = yield* theEntry(target, true, context);
  const current = yield* call(entry.kind, `get ${entry.id}`);
  if (!current.ok) return { isDone: false, text: messages.noMatch(entry.title) };
  const details = entriesIn(current.result)[0]?.details ?? '';
  const minutes = to.shift ?? (to.day === null && to.clock === null ? to.duration : null);
  const [, date, hour, minute] = DATE_AND_CLOCK.exec(details) ?? [];
  const isShift = minutes !== null && date !== undefined && hour !== undefined;
  // One new day, or one shift, would leave the other times of a series behind.
  const leavesSeries = isShift || to.instant !== null || (to.day !== null && !to.repeats);
  if (leavesSeries && REPETITION.test(details)) return { isDone: false, text: messages.repeats(entry.title) };
  const words = isShift
    ? shifted(date, `${hour}:${minute}`, isEarlier ? -Math.abs(minutes) : minutes)
    : (yield* settleTime(
        filledIn(to, { ...entry, details }),
        entry.kind === 'todo' ? 'due' : 'event',
        entry.title,
        context,
      )).words;
  const option = entry.kind === 'todo' ? `--due ${quoted(words)}` : quoted(words);
  const { ok, result } = yield* call(entry.kind, `update ${entry.id} ${option}`);
  return { isDone: ok, text: result.split('\n')[0] ?? '' };
}
