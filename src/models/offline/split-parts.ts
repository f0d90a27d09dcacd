import { findTimes, saysTime } from '../../when/find-times.ts';
import { todayOf, WHEN_CHARS_MAX, type WhenContext } from '../../when/read-when.ts';
import { bare, bareTitle, isGreeting, isQuestion, isThanks, LANGUAGES, understandPhrase } from './understand.ts';

const JOINING_EN = '(?:and\\sthen|and\\salso|and|then|also|plus|after\\sthat,?)';
const JOINING_ZH = '(?:然后|并且|接着|同时|还有|以及|另外|再|并|和)';
/** Words that may stand between two requests of a goal that is single-spaced. */
const SEPARATOR = new RegExp(
  `\\s?(?:[;；\\n,，、。]|[.?？!！](?=\\s|$))\\s?(?:${JOINING_EN}\\s|${JOINING_ZH}\\s?|(?:\\d{1,2}[.)、]|[-*•])\\s)?|\\s${JOINING_EN}\\s|\\s?${JOINING_ZH}\\s?`,
  'giu',
);
/** Words that join two things as often as two requests. */
const BARE_AND = /^\s?(?:and|和)\s?$/i;
const LISTING = /\s?(?:[;；\n,，、]|\sand\s|以及|还有|和)\s?(?:and\s)?(?:(?:\d{1,2}[.)、]|[-*•])\s)?/iu;
const QUOTED = /"[^"]*"|“[^“”]*”|「[^「」]*」/gu;

/** Longest goal that is read, in characters: a longer one is a document, and a part of it would be a guess. */
export const GOAL_CHARS_MAX = 2_000;

/** Separators looked at in one goal: a goal with more is a document, and what follows stays in its last part. */
const SEPARATORS_MAX = 40;

interface Separator {
  text: string;
  start: number;
  end: number;
}

const separatorsOf = (goal: string): Separator[] => {
  const quoted = [...goal.matchAll(QUOTED)].map((match) => [match.index, match.index + match[0].length] as const);
  return [...goal.matchAll(SEPARATOR)]
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
    .filter(({ start }) => !quoted.some(([from, to]) => start > from && start < to))
    .slice(0, SEPARATORS_MAX);
};

const isRequest = (part: string, context: WhenContext): boolean =>
  isQuestion(part) || understandPhrase(part, context) !== null;

const isOnlyTime = (part: string, context: WhenContext): boolean => {
  if (part.length > WHEN_CHARS_MAX) return false;
  const times = findTimes(part, todayOf(context));
  return saysTime(times) && bareTitle(times.rest) === null;
};

/** "Add todos: a, b and c" lists several things under one head: each becomes a request of its own. */
const listed = (part: string, context: WhenContext): string[] => {
  if (!LISTING.test(part) || !LANGUAGES.some(({ plural }) => plural.test(part.trim()))) return [part];
  const request = understandPhrase(part, context);
  if (request?.kind !== 'todo.add' || request.text === null) return [part];
  const colon = /[:：]\s*/u.exec(part);
  const at = colon === null ? part.indexOf(request.text) : colon.index + colon[0].length;
  if (at <= 0) return [part];
  const entries = part
    .slice(at)
    .split(LISTING)
    .flatMap((entry) => bareTitle(entry.replace(/^(?:\d{1,2}[.)、]|[-*•])\s*/u, '')) ?? []);
  const head = /\p{Script=Han}/u.test(part.slice(0, at)) ? '添加待办：' : 'Add a todo: ';
  return entries.length < 2 ? [part] : entries.map((entry) => head + entry);
};

/**
 * The requests that a goal makes, in order, in the user's words. It is cut only where a new request starts, so that
 * "buy milk and eggs" stays one. A greeting is left out; a time that stands alone before a request belongs to it. None where the
 * goal is longer than `GOAL_CHARS_MAX`.
 */
export const splitParts = (whole: string, context: WhenContext, isAnswer = false): string[] => {
  if (whole.length > GOAL_CHARS_MAX) return [];
  const goal = whole.replace(/[^\S\n]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n');
  const parts: string[] = [];
  let from = 0;
  const rest = (separator: Separator | undefined): number => separator?.start ?? goal.length;
  const separators = separatorsOf(goal);
  separators.forEach((separator, i) => {
    const left = goal.slice(from, separator.start);
    const right = goal.slice(separator.end, rest(separators[i + 1]));
    if (
      (!isAnswer && isOnlyTime(left, context)) ||
      !isRequest(right, context) ||
      (BARE_AND.test(separator.text) && !isRequest(left, context))
    )
      return;
    parts.push(left);
    from = separator.end;
  });
  parts.push(goal.slice(from));
  return parts
    .filter((part) => !isGreeting(part) && !isThanks(part) && /[\p{L}\p{N}]/u.test(bare(part)))
    .flatMap((part) => listed(part, context))
    .map((part) => part.trim());
};

/** The requests beside the answer in what was said to a question, and what is left of it as the answer; a correction is one. */
export const requestsIn = (answer: string, context: WhenContext): { requests: string[]; left: string } => {
  const parts = splitParts(answer, context, true);
  const requests = parts.filter((part) => {
    const request = understandPhrase(part, context);
    return request !== null && !(request.kind === 'move' && request.target.isReference);
  });
  if (requests.length === 0) return { requests, left: answer };
  return { requests, left: parts.filter((part) => !requests.includes(part)).join(', ') };
};
