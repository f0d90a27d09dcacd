import { NoAnswer } from './no-answer.ts';

/** Longest JSON body that is parsed, in characters: many times what `ANSWER_TOKENS_MAX` tokens take. */
export const JSON_CHARS_MAX = 600_000;

/** Brackets in a JSON body, those in its texts too: deep or wide bodies take a second and a gigabyte to parse. */
export const BRACKETS_MAX = 50_000;

/** Content blocks of one message: an answer is a few, and each is checked. */
export const CONTENT_BLOCKS_MAX = 1_000;

/** Parses a response's body, looking at its size and its brackets first. Throws `NoAnswer`, which never quotes the body. */
export const parseBody = (body: string): unknown => {
  if (body.trim() === '') throw new NoAnswer('the server answered 200 with an empty body');
  if (body.length > JSON_CHARS_MAX) throw new NoAnswer(`the answer is longer than ${JSON_CHARS_MAX} characters`);
  if (hasMoreBrackets(body, BRACKETS_MAX)) throw new NoAnswer(`the answer holds more than ${BRACKETS_MAX} brackets`);
  try {
    return checkBlocks(JSON.parse(body));
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const what = body.trimStart().startsWith('<') ? 'an HTML page' : 'broken JSON';
    throw new NoAnswer(`the server answered 200 with ${what}`);
  }
};

const hasMoreBrackets = (text: string, max: number): boolean => {
  let count = 0;
  for (let at = 0; at < text.length && count <= max; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) count += 1;
  }
  return count > max;
};

const checkBlocks = (body: unknown): unknown => {
  const { content } = Object(body) as { content?: unknown };
  if (Array.isArray(content) && content.length > CONTENT_BLOCKS_MAX) throw tooManyBlocks();
  return body;
};

export const tooManyBlocks = (): NoAnswer =>
  new NoAnswer(`the answer has more than ${CONTENT_BLOCKS_MAX} content blocks`);
