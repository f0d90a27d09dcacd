import { NoAnswer } from '../http/no-answer.ts';

/** Content blocks of one message: an answer is a few, and each is checked. */
export const CONTENT_BLOCKS_MAX = 1_000;

/** The parsed body of a message as it is. Throws `NoAnswer` when it has too many blocks to be checked one by one. */
export const checkBlocks = (body: unknown): unknown => {
  const { content } = Object(body) as { content?: unknown };
  if (Array.isArray(content) && content.length > CONTENT_BLOCKS_MAX) throw tooManyBlocks();
  return body;
};

export const tooManyBlocks = (): NoAnswer => new NoAnswer((texts) => texts.tooManyBlocks(CONTENT_BLOCKS_MAX));
