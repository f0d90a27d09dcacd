import { findTimes, saysTime, type Times } from '../../when/find-times.ts';
import { settle, todayOf, type When } from '../../when/read-when.ts';
import { splitParts } from './split-parts.ts';
import type { TimeUse } from './understand.ts';
import { GivenUp, type Work, type WorkContext } from './work.ts';

const DAY_MS = 86_400_000;

/** The times that were said, with those that an answer adds: a day or an hour in it takes the place of the one before. */
const withAnswer = (said: Times, answer: Times): Times => {
  if (!saysTime(answer)) return said;
  const minutes = answer.minutes ?? said.minutes;
  if (answer.seconds !== undefined) return { ...answer, minutes };
  const isNewDay = (answer.day ?? answer.rule) !== undefined;
  const { day, rule, words } = isNewDay ? answer : said;
  const { clock, clockWords, until, offset } = answer.clock === undefined ? said : answer;
  const part = answer.part ?? (isNewDay ? undefined : said.part);
  return { ...answer, seconds: undefined, minutes, day, rule, words, clock, clockWords, until, offset, part };
};

const lackOf = (lacks: 'past' | 'hour' | 'when') => ({ lacks, about: '', options: [] });

/** The part of a time that is missing for its use, or null where it is certain. `about`: what is to be decided. */
const missing = (when: ReturnType<typeof settle>, use: TimeUse, now: number) => {
  if ('lacks' in when) return when;
  if ((when.hasTime ? when.at : when.at + DAY_MS) < now) return lackOf('past');
  return when.hasTime || use === 'due' ? null : lackOf('hour');
};

/** Asks for what a time lacks until the reader of times is certain of it; each lack once, at last for figures, then it gives up. */
export function* settleTime(times: Times, use: TimeUse, subject: string, context: WorkContext): Work<When> {
  const { questions, unanswered } = context.messages;
  const asked = new Set<string>();
  let said = times;
  for (;;) {
    const when = settle(said, context);
    // An hour without a day beside another request of the goal may be of that request's day.
    const isBareHour = said.clock !== undefined && (said.day ?? said.rule) === undefined;
    const isDoubtful = asked.size === 0 && isBareHour && splitParts(context.task.goal, context).length > 1;
    const lack = isDoubtful ? lackOf('when') : missing(when, use, context.now);
    if (lack === null) return when as When;
    const slot = lack.lacks === 'when' && use === 'remind' ? 'remind' : lack.lacks;
    const text = [questions[slot](subject, lack.about), questions.figures(subject)].find((each) => !asked.has(each));
    if (text === undefined) throw new GivenUp(unanswered);
    asked.add(text);
    const answer = (yield { ask: { text, options: lack.options } }) as string;
    said = withAnswer(said, findTimes(answer, todayOf(context), { isAnswer: true }));
  }
}
