import { NoAnswer } from './no-answer.ts';

/** Longest JSON body that is parsed, in characters: many times what `ANSWER_TOKENS_MAX` tokens take. */
export const JSON_CHARS_MAX = 600_000;

/** Brackets in a JSON body, those in its texts too: deep or wide bodies take a second and a gigabyte to parse. */
export const BRACKETS_MAX = 50_000;

/** Parses a response's body, looking at its size and its brackets first. Throws `NoAnswer`, which never quotes the body. */
export const parseBody = (body: string): unknown => {
  if (body.trim() === '') throw new NoAnswer((texts) => texts.emptyBody);
  if (body.length > JSON_CHARS_MAX) throw new NoAnswer((texts) => texts.tooManyChars(JSON_CHARS_MAX));
  if (hasMoreBrackets(body, BRACKETS_MAX)) throw new NoAnswer((texts) => texts.tooManyBrackets(BRACKETS_MAX));
  try {
    return JSON.parse(body);
  } catch {
    const isPage = body.trimStart().startsWith('<');
    throw new NoAnswer((texts) => (isPage ? texts.htmlBody : texts.brokenJson));
  }
};

const hasMoreBrackets = (text: string, max: number): boolean => {
  if (text.length <= max) return false;
  let count = 0;
  for (let at = 0; at < text.length && count <= max; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) count += 1;
  }
  return count > max;
};
