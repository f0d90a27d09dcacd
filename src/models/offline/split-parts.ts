import type { WhenContext } from '../../when/read-when.ts';
import { bare, isGreeting, isOtherRequest, isThanks, understandPhrase } from './understand.ts';

const JOINING_EN = '(?:and\\sthen|and\\salso|and|then|also)';
const JOINING_ZH = '(?:然后|并且|接着|还有|以及|再|并|和)';
/** Words that may separate two requests of a goal. Expects single spaces. */
const SEPARATOR = new RegExp(
  `\\s?(?:[;；\\n,，、。]|[.?？!！](?=\\s|$))\\s?(?:${JOINING_EN}\\s|${JOINING_ZH}\\s?|(?:\\d{1,2}[.)、]|[-*•])\\s)?|\\s${JOINING_EN}\\s|\\s?${JOINING_ZH}\\s?`,
  'giu',
);
/** Words that join two things as often as two requests. */
const BARE_AND = /^\s?(?:and|和)\s?$/i;
const QUOTED = /"[^"]*"|“[^“”]*”|「[^「」]*」/gu;

/**
 * Longest goal that is understood, in characters. A longer one is a document, and understanding a part would be a
 * guess.
 */
const GOAL_CHARS_MAX = 2_000;

/** Most separators examined in a goal. One with more is a document, and the rest stays in its last part. */
const SEPARATORS_MAX = 40;

const separatorsOf = (goal: string) => {
  const quoted = [...goal.matchAll(QUOTED)].map((match) => [match.index, match.index + match[0].length] as const);
  return [...goal.matchAll(SEPARATOR)]
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
    .filter(({ start }) => !quoted.some(([from, to]) => start > from && start < to))
    .slice(0, SEPARATORS_MAX);
};

/**
 * The requests in a goal, in the user's words, split only where a new request starts. None if the goal is longer than
 * `GOAL_CHARS_MAX`.
 */
export const splitParts = (whole: string, context: WhenContext): string[] => {
  if (whole.length > GOAL_CHARS_MAX) return [];
  const goal = whole.replace(/[^\S\n]+/g, ' ').replace(/ ?\n[ \n]*/g, '\n');
  const isRequest = (part: string): boolean => isOtherRequest(part) || understandPhrase(part, context) !== null;
  const parts: string[] = [];
  let from = 0;
  const separators = separatorsOf(goal);
  separators.forEach(({ text, start, end }, i) => {
    const left = goal.slice(from, start);
    if (!isRequest(goal.slice(end, separators[i + 1]?.start)) || (BARE_AND.test(text) && !isRequest(left))) return;
    parts.push(left);
    from = end;
  });
  return [...parts, goal.slice(from)]
    .filter((part) => !isGreeting(part) && !isThanks(part) && /[\p{L}\p{N}]/u.test(bare(part)))
    .map((part) => part.trim());
};

/** The requests in an answer to a question, and the rest as the answer itself. A correction counts as a request. */
export const requestsIn = (answer: string, context: WhenContext): { requests: string[]; left: string } => {
  const parts = splitParts(answer, context);
  const requests = parts.filter((part) => {
    const request = understandPhrase(part, context);
    return request !== null && !(request.kind === 'move' && request.target.isReference);
  });
  if (requests.length === 0) return { requests, left: answer };
  return { requests, left: parts.filter((part) => !requests.includes(part)).join(', ') };
};
