import * as chrono from 'chrono-node';
import type { TimeWords } from './request.ts';
import { english } from './words-en.ts';
import { chinese } from './words-zh.ts';

/** Only spans are read here, never values, so that any reference does; the tool reads the words in the user's zone. */
const ANY_DAY = new Date(Date.UTC(2024, 0, 1));

/** Text searched for a time, in characters: a request says its time near its beginning or end, not in a letter's body. */
const SEARCHED_CHARS_MAX = 1_000;

const SAYS_HOUR = /中午|正午|午夜|noon|midnight/iu;

/** A span of a text that names a time, with the words around it that belong to it and go when it is cut out. */
export interface TimeSpan {
  time: TimeWords;
  start: number;
  end: number;
  /** A word such as "by" or 前 marks it as a time, wherever in the text it stands. */
  isMarked: boolean;
}

const parsed = (text: string): chrono.ParsedResult[] => {
  const options = { forwardDate: true };
  const han = /\p{Script=Han}/u.test(text) ? chrono.zh.hans.parse(text, ANY_DAY, options) : [];
  const found = han.length > 0 ? han : chrono.en.parse(text, ANY_DAY, options);
  return found.filter((result) => !/^(?:now|for\s.*)$/i.test(result.text));
};

/** The first time that a text names; neighbouring ones ("Friday" and "15:00") are one. Null when there is none. */
export const findTime = (whole: string): TimeSpan | null => {
  const text = whole.slice(0, SEARCHED_CHARS_MAX);
  const [first, ...more] = parsed(text);
  if (first === undefined) return null;
  const results = [first];
  let end = first.index + first.text.length;
  for (const next of more) {
    if (!/^[\s,，的]*(?:at|on)?\s*$/i.test(text.slice(end, next.index))) break;
    results.push(next);
    end = next.index + next.text.length;
  }
  const quarter = /^刻/u.exec(text.slice(end));
  if (quarter !== null) end += 1;
  const which = /(?:本|这个?|下个?|下下)$/u.exec(text.slice(0, first.index))?.[0] ?? '';
  const start = first.index - which.length;
  const words = text
    .slice(start, end)
    .trim()
    .replace(/^(?:at|on)\s+/i, '');
  const lead = english.beforeTime.exec(text.slice(0, start)) ?? chinese.beforeTime.exec(text.slice(0, start));
  const trail = chinese.afterTime.exec(text.slice(end))?.[0] || english.afterTime.exec(text.slice(end))?.[0] || '';
  return {
    time: {
      words,
      hasDay: results.some(({ start: at }) => at.isCertain('day') || at.isCertain('weekday')),
      hasHour: results.some(({ start: at }) => at.isCertain('hour')) || SAYS_HOUR.test(words),
    },
    start: start - (lead?.[0].length ?? 0),
    end: end + trail.length,
    isMarked: lead !== null || /^(?:之前|以前|前)/u.test(trail),
  };
};

/** The text without the span. */
export const withoutSpan = (text: string, { start, end }: TimeSpan): string =>
  `${text.slice(0, start).trim()} ${text.slice(end).trim()}`.trim();
