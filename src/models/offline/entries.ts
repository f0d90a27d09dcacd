import { OPTION_CHARS_MAX, OPTIONS_MAX } from '../../../contracts/limits.ts';
import { cutText } from '../../../contracts/text.ts';
import { isSameQuestion } from '../../../machines/phrases.ts';
import { findTimes, saysTime, type Times } from '../../when/find-times.ts';
import { figures } from '../../when/format-when.ts';
import { settle, todayOf, type When } from '../../when/read-when.ts';
import type { PartOfDay } from '../../when/said.ts';
import { temporal, zonedAt } from '../../when/temporal.ts';
import type { EntryKind, Request, Target } from './request.ts';
import { splitParts } from './split-parts.ts';
import { LANGUAGES, quoted, searchWords } from './understand.ts';
import { askUntil, call, GivenUp, type Outcome, type Work, type WorkContext } from './work.ts';

/** An entry as a tool's line shows it. */
export interface Entry {
  kind: EntryKind;
  id: string;
  title: string;
  isDone: boolean;
  /** The details behind a title: an event's time and repetition, a todo's due date. */
  details: string;
  line: string;
}

/** A line of a list or a report: `#3 Buy milk  due …`, `Added #1 dentist  2026-11-22 15:00–16:00 (Sun)`. */
const LINE = /^[^#]{0,40}#(\d{1,15}) (✓ )?(\S.*?)(?: {2}(\S.*))?$/u;
const SPAN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}–/;
/** Lines of what is not spoken about, or is no more. */
const OTHER = /^\s*(?:Overlaps with|时间冲突|(?:Done: |完成：)?(?:Deleted|已删除))/;

/** The entries that a tool's result or an answer shows, each once. */
export const entriesIn = (text: string): Entry[] => {
  const entries = text.split('\n').flatMap((line): Entry[] => {
    const [, id, done, title, details = ''] = (OTHER.test(line) ? null : LINE.exec(line)) ?? [];
    if (id === undefined || title === undefined) return [];
    const kind = SPAN.test(details) ? 'schedule' : 'todo';
    return [{ kind, id, title, isDone: done !== undefined, details, line: line.slice(line.indexOf('#')) }];
  });
  return entries.filter(
    (entry, i) => entries.findIndex(({ kind, id }) => kind === entry.kind && id === entry.id) === i,
  );
};

/** The entry last spoken about: in this task, else in the conversation before it. */
const referents = ({ task: { conversation, observations }, item }: WorkContext): Entry[] =>
  [
    ...conversation.map(({ answered }) => answered),
    ...observations.flatMap(({ item_id, ok, result }) => (ok && item_id !== item.id ? [result] : [])),
  ]
    .map(entriesIn)
    .findLast((entries) => entries.length > 0) ?? [];

/** Longest text that can be an entry's title, in characters. Marks in the wrong order take time by the square of their number. */
const COMPARED_CHARS_MAX = 1_000;

const lower = (text: string): string => text.slice(0, COMPARED_CHARS_MAX).normalize('NFKC').toLowerCase();

/** The words that tell one entry from others: without articles, and without "meeting" where more is said. */
const tellingWords = (name: string): string[] =>
  LANGUAGES.reduce((left, { generic }) => left.replace(generic, ' '), lower(name))
    .split(/[\s,，]+/)
    .filter((word) => word !== '');

/** The text in an entry's details where it is on the day and at the hour that a name says. */
const detailsOf = ({ times }: Target, context: WorkContext): string[] => {
  const hour = settle({ ...times, day: undefined, rule: undefined, unclear: [] }, context);
  return [
    ...(times.day === undefined ? [] : [times.day.date.toString()]),
    ...('lacks' in hour || times.clock === undefined ? [] : [hour.words.slice(10)]),
  ];
};

/** All entries that the target's name and time fit, or those with that very name; a name that says only "meeting" is an event's. */
export function* findEntries(target: Target, context: WorkContext): Work<Entry[]> {
  const words = tellingWords(target.name);
  const kind = target.entry ?? (words.length === 0 ? 'schedule' : null);
  const found: Entry[] = [];
  if (kind !== 'todo') found.push(...entriesIn((yield* call('schedule', 'list')).result));
  if (kind !== 'schedule') {
    const input = words.length === 0 ? 'list' : `search ${searchWords(words.join(' '))}`;
    found.push(...entriesIn((yield* call('todo', input)).result));
  }
  const details = detailsOf(target, context);
  const fitting = found
    .map((entry) => ({ entry, title: lower(entry.title) }))
    .filter(
      ({ entry, title }) =>
        (kind ?? entry.kind) === entry.kind &&
        words.every((word) => title.includes(word)) &&
        details.every((said) => entry.details.includes(said)),
    );
  const name = lower(target.name);
  const exact = fitting.filter(({ title }) => title === name);
  return (exact.length > 0 ? exact : fitting).map(({ entry }) => entry);
}

const chosen = (entries: Entry[], answer: string): Entry[] => {
  const id = /^\D*(\d{1,15})\D*$/.exec(answer)?.[1];
  const byLabel = entries.filter(({ line }) => isSameQuestion(cutText(line, OPTION_CHARS_MAX), answer));
  if (byLabel.length > 0) return byLabel;
  const byId = entries.filter((entry) => entry.id === id);
  const said = lower(answer);
  return byId.length > 0 ? byId : entries.filter(({ title }) => said.includes(lower(title)));
};

function* chooseFrom(entries: Entry[], subject: string, context: WorkContext): Work<Entry> {
  const options = entries.slice(0, OPTIONS_MAX).map(({ line }) => cutText(line, OPTION_CHARS_MAX));
  const read = (answer: string): Entry | null => {
    const [one, ...more] = chosen(entries, answer);
    return more.length === 0 ? (one ?? null) : null;
  };
  return yield* askUntil(context.messages.questions.which(subject), read, context, options);
}

/** The one entry that is meant: the only one that fits, else the one that the user chooses. Gives up where none fits. */
export function* theEntry(target: Target, isOpenOnly: boolean, context: WorkContext): Work<Entry> {
  const { messages, item } = context;
  const isWanted = (entry: Entry): boolean =>
    (target.entry ?? entry.kind) === entry.kind && !(isOpenOnly && entry.isDone);
  const isNamed = tellingWords(target.name).length > 0 || (target.times.day ?? target.times.clock) !== undefined;
  const subject = target.said || item.step;
  if (target.isReference || (target.name === '' && target.entry === null && !isNamed)) {
    const [one, ...more] = referents(context).filter(isWanted);
    if (one === undefined) throw new GivenUp(messages.noReferent);
    return more.length === 0 ? one : yield* chooseFrom([one, ...more], subject, context);
  }
  const all = yield* findEntries(target, context);
  const found = all.filter(isWanted);
  const [only] = found;
  if (only === undefined)
    throw new GivenUp(all[0] === undefined ? messages.noMatch(subject) : messages.alreadyDone(all[0].line));
  return found.length === 1 && isNamed ? only : yield* chooseFrom(found, subject, context);
}

/** The use of a time: an event has an hour, a reminder too, and a due date may be a day alone. */
type TimeUse = 'event' | 'remind' | 'due';

/** The times that were said, with those that an answer adds: a day or an hour in it takes the place of the one before. */
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

/** Whether an hour without a day may be that of a day which another part of the goal names. */
const mayBeOtherDay = (times: Times, context: WorkContext): boolean =>
  times.clock !== undefined &&
  (times.day ?? times.rule) === undefined &&
  splitParts(context.task.goal, context).some(
    (part) => part !== context.item.step && findTimes(part, todayOf(context)).day !== undefined,
  );

/** Asks for what a time lacks until the reader of times is certain of it; each question once, then it gives up. */
export function* settleTime(times: Times, use: TimeUse, subject: string, context: WorkContext): Work<When> {
  const { questions, unanswered } = context.messages;
  const asked = new Map<string, number>();
  let said: Times = { ...times, isForEvening: times.isForEvening || findTimes(subject, todayOf(context)).isForEvening };
  for (;;) {
    const isDoubtful = asked.size === 0 && mayBeOtherDay(said, context);
    const when = isDoubtful ? ({ lacks: 'when', about: '', options: [] } as const) : settle(said, context);
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

const FROM_TO = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})–(?:(\d{4}-\d{2}-\d{2}) )?(\d{2}:\d{2})/;

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
    const [, start, first, last = start, ends] = FROM_TO.exec(details) ?? [];
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
