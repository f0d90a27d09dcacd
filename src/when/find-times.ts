import { CHINESE_AFTER, CHINESE_BEFORE, chineseAnswers, chineseTimes } from './chinese-times.ts';
import {
  ENGLISH_AFTER,
  ENGLISH_BEFORE,
  ENGLISH_BEFORE_PHRASE,
  ENGLISH_BOUND,
  ENGLISH_LIMIT,
  englishAnswers,
  englishTimes,
} from './english-times.ts';
import { holidayNames } from './holidays.ts';
import type { PartOfDay, SaidClock, TimeToken } from './time-token.ts';

/** All that a text says of one time. `day` is in words that the reader of times knows; it `repeats` where they name more than one. */
export interface FoundTimes {
  day: string | null;
  repeats: boolean;
  part: PartOfDay | null;
  clock: SaidClock | null;
  /** The hour in the text's words. */
  clockWords: string;
  until: SaidClock | null;
  /** A distance from now in hours or minutes, in the text's words. */
  instant: string | null;
  /** How long something lasts, in minutes. */
  duration: number | null;
  /** How many minutes something is to be moved. */
  shift: number | null;
  /** Words that name a time, and are not understood or one too many. */
  unclear: string[];
  /** The text without all of these. */
  rest: string;
}

/** True where the words name a time at all. */
export const saysTime = ({ day, clock, part, instant, unclear }: FoundTimes): boolean =>
  (day ?? clock ?? part ?? instant) !== null || unclear.length > 0;

/** What a text may say: an answer to a question for a time may be a bare number; a todo keeps a duration in its text, and "before" a time is when it is due. */
export interface FindOptions {
  isAnswer?: boolean;
  isTodo?: boolean;
}

interface Placed {
  token: TimeToken;
  start: number;
  end: number;
}

/** Text searched for times, in characters: the longest goal that is read. */
const SEARCHED_CHARS_MAX = 2_000;

/** Expressions of time in one text, at most: a text with more is no request. */
const TOKENS_MAX = 40;

const HAN = /\p{Script=Han}/u;
const BEGINS_WITH_PREPOSITION = /^(?:at|on|in|from|by|@|between|for|lasting|until|around|before|due)\b/i;
const HOLIDAY = new RegExp(`\\b(?:${holidayNames('en')})(?!\\w)|${holidayNames('zh')}`, 'iu');

/** Figures that may be a date: with a slash anywhere, and with a dot or a dash too where an hour has no day. */
const SLASHED = /(?<![\w./-])\d{1,2}\/\d{1,2}(?![\w%])/;
const FIGURES = /(?<![\w./-])\d{1,2}[./-]\d{1,2}(?![\w%])/;

/** What stood before and after something that was cut out, as one text; Chinese needs no space where it is joined. */
export const joined = (before: string, after: string): string => {
  const isHan = /\p{Script=Han}\s*$/u.test(before) && /^\s*\p{Script=Han}/u.test(after);
  return `${before.trimEnd()}${isHan ? '' : ' '}${after.trimStart()}`.trim();
};

/** The expressions of time in a text, in order; each character belongs to one at most. */
const tokensOf = (text: string, isAnswer: boolean): Placed[] => {
  const found: Placed[] = [];
  let left = text;
  const zh = HAN.test(text) ? [...chineseTimes, ...(isAnswer ? chineseAnswers : [])] : [];
  for (const { pattern, read } of [...zh, ...englishTimes, ...(isAnswer ? englishAnswers : [])]) {
    // Most texts have none of them, and going through all matches begins with a copy of the expression.
    if (left.search(pattern) === -1) continue;
    for (const match of left.matchAll(pattern)) {
      const token = found.length < TOKENS_MAX ? read(match.groups ?? {}, match[0]) : null;
      if (token === null) continue;
      const [start, end] = [match.index, match.index + match[0].length];
      found.push({ token, start, end });
      left = `${left.slice(0, start)}${'\0'.repeat(end - start)}${left.slice(end)}`;
    }
  }
  return found.sort((one, other) => one.start - other.start);
};

const without = (text: string, { start, end }: Placed): string => {
  const before = text.slice(0, start);
  const isPhrase = BEGINS_WITH_PREPOSITION.test(text.slice(start, end));
  const cut = before.replace(isPhrase ? ENGLISH_BEFORE_PHRASE : ENGLISH_BEFORE, '').replace(CHINESE_BEFORE, '');
  return joined(cut, text.slice(end).replace(ENGLISH_AFTER, '').replace(CHINESE_AFTER, ''));
};

/**
 * Finds what a sentence in English or Chinese says of a time, and takes it out. Reads no clock: which instant is meant is for the reader
 * of times. What is said twice, or names no one time, is `unclear`.
 */
export const findTimes = (text: string, { isAnswer = false, isTodo = false }: FindOptions = {}): FoundTimes => {
  const searched = text.slice(0, SEARCHED_CHARS_MAX);
  const found: FoundTimes = {
    ...{
      day: null,
      repeats: false,
      part: null,
      clock: null,
      clockWords: '',
      until: null,
      instant: null,
      duration: null,
      shift: null,
    },
    ...{ unclear: [], rest: text },
  };
  const used: Placed[] = [];
  const take = (placed: Placed, isFirst: boolean, apply: () => void): void => {
    used.push(placed);
    if (isFirst) apply();
    else found.unclear.push(searched.slice(placed.start, placed.end).trim());
  };
  for (const placed of tokensOf(searched, isAnswer)) {
    const { token } = placed;
    switch (token.kind) {
      case 'day':
        take(
          placed,
          found.day === null && found.instant === null && (token.part === null || found.part === null),
          () => {
            found.day = token.words;
            found.repeats = token.repeats;
            found.part ??= token.part;
          },
        );
        break;
      case 'part':
        take(placed, found.part === null, () => {
          found.part = token.part;
        });
        break;
      case 'clock':
        take(placed, found.clock === null && found.instant === null, () => {
          found.clock = token.clock;
          found.clockWords = searched.slice(placed.start, placed.end).trim();
          found.until = token.until;
        });
        break;
      case 'instant':
        take(placed, found.instant === null && found.day === null && found.clock === null, () => {
          found.instant = token.words;
        });
        break;
      case 'duration':
        if (!isTodo)
          take(placed, found.duration === null && found.until === null, () => {
            found.duration = token.minutes;
          });
        break;
      case 'shift':
        take(placed, found.shift === null, () => {
          found.shift = token.minutes;
        });
        break;
      case 'vague':
        take(placed, false, () => {});
        break;
      default:
        token satisfies never;
    }
  }
  if (found.part === 'noon') found.clock ??= { hour: 12, minute: 0, part: 'noon', isPadded: false };
  found.rest = used.toReversed().reduce(without, text);
  if (isTodo && used.length > 0) found.rest = found.rest.replace(ENGLISH_LIMIT, '');
  const bound = ENGLISH_BOUND.exec(found.rest)?.[0];
  if (used.length > 0 && bound !== undefined) found.unclear.push(bound);
  const hasNoDay = found.day === null && used.length > 0;
  const figures = (hasNoDay ? FIGURES : SLASHED).exec(found.rest)?.[0];
  if (figures !== undefined) {
    found.unclear.push(figures);
    found.rest = joined(...(found.rest.split(figures, 2) as [string, string]));
  }
  const holiday = found.day === null && found.instant === null ? HOLIDAY.exec(found.rest)?.[0] : undefined;
  if (holiday !== undefined) found.unclear.push(holiday);
  return found;
};
