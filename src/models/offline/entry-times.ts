import { findTimes, saysTime, type Times } from '../../when/find-times.ts';
import { figures } from '../../when/format-when.ts';
import { settle, todayOf, type When } from '../../when/read-when.ts';
import type { PartOfDay } from '../../when/said.ts';
import { temporal, zonedAt } from '../../when/temporal.ts';
import { entriesIn, theEntry } from './entries.ts';
import type { Request } from './request.ts';
import { quoted } from './understand.ts';
import { askUntil, call, GivenUp, type Outcome, type Work, type WorkContext } from './work.ts';

/** What a time is for: an event has an hour, a reminder too, and a due date may be a day alone. */
export type TimeUse = 'event' | 'remind' | 'due';

/** What was said with what an answer adds: a day or an hour in it takes the place of the one before. */
const withAnswer = (said: Times, answer: Times): Times => {
  if (!saysTime(answer)) return said;
  const minutes = answer.minutes ?? said.minutes;
  if (answer.seconds !== undefined) return { ...answer, minutes };
  const isNewDay = (answer.day ?? answer.rule) !== undefined;
  const day = isNewDay ? answer : said;
  const clock = answer.clock === undefined ? said : answer;
  return {
    ...said,
    ...{ seconds: undefined, unclear: answer.unclear, minutes, offset: clock.offset, until: clock.until },
    ...{ day: day.day, rule: day.rule, words: day.words, clock: clock.clock, clockWords: clock.clockWords },
    part: answer.part ?? (isNewDay ? undefined : said.part),
  };
};

/**
 * Makes sure of a time: asks for what is missing, for what may be two hours, and for what is not understood, until the reader of times
 * is certain of it. Each question is asked once; then it gives up.
 */
export function* settleTime(times: Times, use: TimeUse, subject: string, context: WorkContext): Work<When> {
  const { questions, unanswered } = context.messages;
  const asked = new Map<string, number>();
  let said: Times = { ...times, isForEvening: times.isForEvening || findTimes(subject, todayOf(context)).isForEvening };
  for (;;) {
    const when = settle(said, context);
    const isPast = !('lacks' in when) && (when.hasTime ? when.at : when.at + 86_400_000) < context.now;
    const lacksHour = !('lacks' in when) && !when.hasTime && use !== 'due';
    if (!('lacks' in when) && !isPast && !lacksHour) return when;
    const lack = 'lacks' in when ? when : ({ lacks: isPast ? 'other_time' : 'hour', about: '', options: [] } as const);
    const slot = lack.lacks === 'when' && use === 'remind' ? 'remind' : lack.lacks;
    const count = asked.get(slot) ?? 0;
    asked.set(slot, count + 1);
    const question = questions[slot](subject, lack.about)[count];
    if (question === undefined) throw new GivenUp(unanswered);
    const read = (answer: string) => findTimes(answer, todayOf(context), { isAnswer: true });
    said = withAnswer(said, yield* askUntil([question], read, context, [...lack.options]));
  }
}

/** From when to when each part of the day lasts; a text compares as the clock does. */
const PARTS: Record<PartOfDay | 'day', [from: string, to: string]> = {
  ...{ day: ['00:00', '24:00'], dawn: ['00:00', '06:00'], morning: ['06:00', '12:00'], noon: ['12:00', '13:00'] },
  ...{ afternoon: ['12:00', '18:00'], evening: ['18:00', '24:00'], night: ['20:00', '24:00'] },
};

/** How long a time that is asked for by its beginning alone should be free, in minutes. */
const ASKED_MINUTES = 60;

const SPAN = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})–(?:(\d{4}-\d{2}-\d{2}) )?(\d{2}:\d{2})/;

/** Says whether anything on the schedule is in the way at a time: a part of a day, an hour, from one to another, or a day. */
export function* isFree(times: Times, context: WorkContext): Work<Outcome> {
  const { messages } = context;
  const hasHour = (times.clock ?? times.seconds) !== undefined;
  const asked = hasHour ? times : { ...times, part: undefined };
  const { at, minutes } = yield* settleTime(asked, hasHour ? 'event' : 'due', messages.freeTime, context);
  const begin = zonedAt(at, context.timezone);
  const [date = '', clock = ''] = figures(begin).split(' ');
  const { result, ok } = yield* call('schedule', `view day ${date}`);
  if (!ok) return { isDone: false, text: result };
  const end = begin.add({ minutes: minutes ?? ASKED_MINUTES });
  const until = end.day === begin.day ? figures(end).split(' ')[1]! : '24:00';
  const [from, to] = hasHour ? [clock, until] : PARTS[times.part ?? 'day'];
  const inTheWay = entriesIn(result).filter(({ details }) => {
    const [, start, first, last = start, ends] = SPAN.exec(details) ?? [];
    return `${start} ${first}` < `${date} ${to}` && `${last} ${ends}` > `${date} ${from}`;
  });
  const lines = inTheWay.map(({ line }) => line);
  return { isDone: true, text: messages.free(`${date} ${from}–${to}`, lines) };
}

const DATE_AND_CLOCK = /(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}))?/;
const REPETITION = / {2}((?:every |每|隔)(?:(?! {2})[^\n])*)/u;

/** The new time with what it leaves out taken from the entry: "to 4pm" stays on its day, "to Friday" at its hour. */
const filledIn = (to: Times, details: string, context: WorkContext): Times => {
  if (to.seconds !== undefined || !saysTime(to)) return to;
  const [, date = '', clock = ''] = DATE_AND_CLOCK.exec(details) ?? [];
  const own = findTimes(REPETITION.exec(details)?.[1] ?? date, todayOf(context));
  const hour = findTimes(`${date} ${clock}`, todayOf(context)).clock;
  const isSameHour = to.clock === undefined && to.part === undefined;
  const day = (to.day ?? to.rule) === undefined ? own : to;
  return { ...to, day: day.day, rule: day.rule, words: day.words, clock: isSameHour ? hour : to.clock };
};

/** Moves an event, or when a todo is due, to another time; what its new time does not say stays as it is. */
export function* moveEntry(request: Extract<Request, { kind: 'move' }>, context: WorkContext): Work<Outcome> {
  const { target, to, isEarlier } = request;
  const { messages } = context;
  const entry = yield* theEntry(target, true, context);
  const current = yield* call(entry.kind, `get ${entry.id}`);
  if (!current.ok) return { isDone: false, text: messages.noMatch(entry.title) };
  const details = entriesIn(current.result)[0]?.details ?? '';
  const minutes = (to.day ?? to.clock ?? to.rule) === undefined ? to.minutes : undefined;
  const [, date, clock] = DATE_AND_CLOCK.exec(details) ?? [];
  const isShift = minutes !== undefined && clock !== undefined;
  // One new day, or one shift, would leave the other times of a series behind.
  const leavesSeries = isShift || (to.seconds ?? to.day) !== undefined;
  if (leavesSeries && REPETITION.test(details)) return { isDone: false, text: messages.repeats(entry.title) };
  const use = entry.kind === 'todo' ? 'due' : 'event';
  const words = isShift
    ? shifted(`${date}T${clock}`, isEarlier ? -minutes : minutes)
    : (yield* settleTime(filledIn(to, details, context), use, entry.title, context)).words;
  const option = entry.kind === 'todo' ? `--due ${quoted(words)}` : quoted(words);
  const { ok, result } = yield* call(entry.kind, `update ${entry.id} ${option}`);
  return { isDone: ok, text: result.split('\n')[0] ?? '' };
}

const shifted = (from: string, minutes: number): string =>
  temporal().PlainDateTime.from(from).add({ minutes }).toString({ smallestUnit: 'minute' }).replace('T', ' ');
