import type { z } from 'zod';
import { CommandFailure } from './command-failure.ts';

/** Longest reply that is read at once, in characters: many times a page of any list. */
const REPLY_CHARS_MAX = 64 * 1024 * 1024;

/** A reply's body, which is JSON; undefined for anything else, and for what does not end. */
export const readJson = async (response: Response): Promise<unknown> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > REPLY_CHARS_MAX) return undefined;
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    return undefined;
  }
};

/** A reply's body by its schema. Throws a `CommandFailure` for what no Tripact answers. */
export const readReply = async <Shape extends z.ZodType>(response: Response, shape: Shape): Promise<z.infer<Shape>> => {
  const read = shape.safeParse(await readJson(response));
  if (read.success) return read.data;
  throw new CommandFailure(
    `${new URL(response.url).origin} answered what can not be read: is that a Tripact service of this version?`,
  );
};
