import { type FoundTimes, findTimes, saysTime } from '../../when/find-times.ts';
import { hourOf, minutesUntil, withRangeRead } from '../../when/hour-said.ts';
import { parseRepeatableWhen } from '../../when/repetition-words.ts';
import { LANGUAGES } from './read-details.ts';
import { ask, GivenUp, type Work, type WorkContext } from './work.ts';

/** What of a time is missing or doubtful; each has its own questions. */
export type TimeSlot = 'when' | 'remind' | 'hour' | 'half' | 'unclear' | 'other_time';

/** A time that is wholly understood: the words for the tool, and the instant of its first time. */
export interface SettledTime {
  words: string;
  /** Epoch milliseconds. */
  at: number;
  repeats: boolean;
  /** How long it lasts, where that was said. */
  minutes: number | null;
}

/** What a time is for: an event has an hour, a reminder too, and a due date may be a day alone. */
export type TimeUse = 'event' | 'remind' | 'due';

type State = { slot: TimeSlot; about: string; options: string[] } | { settled: SettledTime };

const lacks = (slot: TimeSlot, about = '', options: string[] = []): State => ({ slot, about, options });

const stateOf = (times: FoundTimes, use: TimeUse, subject: string, { now, timezone, task }: WorkContext): State => {
  const { day, part, instant, unclear, repeats, duration } = times;
  if (unclear.length > 0) return lacks('unclear', unclear.join(', '));
  if (!saysTime(times)) return lacks(use === 'remind' ? 'remind' : 'when');
  const { clock } = withRangeRead(times);
  const isForEvening = LANGUAGES.some(({ evening }) => evening.test(subject));
  const hour = clock === null ? null : hourOf(clock, part, isForEvening);
  const needsHour = instant === null && (use !== 'due' || part !== null || repeats);
  if (hour?.kind === 'impossible') return lacks('unclear', times.clockWords);
  if (hour === null && needsHour) return lacks('hour');
  if (hour?.kind === 'either') return lacks('half', hour.clocks.join('/'), hour.clocks);
  const words = instant ?? [day, hour?.clock].filter(Boolean).join(' ');
  const read = parseRepeatableWhen(words, { now, timezone, language: task.language });
  if ('error' in read) return lacks('unclear', day ?? words);
  const isPast = read.hasTime ? read.at < now : read.at + 86_400_000 <= now;
  if (isPast) return lacks('other_time');
  const minutes = duration ?? (hour === null ? null : minutesUntil(hour.clock, times));
  return { settled: { words, at: read.at, repeats: read.rrule !== null, minutes } };
};

/** What was said with what an answer adds: a day or an hour in it takes the place of the one before. */
const withAnswer = (said: FoundTimes, answer: FoundTimes): FoundTimes => {
  if (!saysTime(answer)) return said;
  if (answer.instant !== null) return { ...answer, duration: answer.duration ?? said.duration };
  const isNewHour = answer.clock !== null;
  return {
    ...said,
    instant: null,
    unclear: answer.unclear,
    day: answer.day ?? said.day,
    repeats: answer.day === null ? said.repeats : answer.repeats,
    clock: answer.clock ?? said.clock,
    clockWords: isNewHour ? answer.clockWords : said.clockWords,
    until: isNewHour ? answer.until : said.until,
    part: answer.part ?? (answer.day === null ? said.part : null),
    duration: answer.duration ?? said.duration,
  };
};

/**
 * Makes sure of a time: asks for what is missing, for what may be two hours, and for what is not understood, until the reader of times
 * knows it. Never takes one of two meanings. Each question is asked once; then it gives up.
 */
export function* settleTime(times: FoundTimes, use: TimeUse, subject: string, context: WorkContext): Work<SettledTime> {
  const { messages } = context;
  const asked = new Map<TimeSlot, number>();
  let said = times;
  for (;;) {
    const state = stateOf(said, use, subject, context);
    if ('settled' in state) return state.settled;
    const count = asked.get(state.slot) ?? 0;
    const question = messages.questions[state.slot](subject, state.about)[count];
    if (question === undefined) throw new GivenUp(messages.unanswered);
    asked.set(state.slot, count + 1);
    const answer = findTimes(yield* ask(question, state.options), { isAnswer: true });
    said = withAnswer(said, answer);
  }
}
