import { z } from 'zod';
import { INPUT_BYTES_MAX } from '../../../../contracts/limits.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { parsed } from '../parsed.ts';

/** Longest id of a thread, a run or an interrupt, in characters: clients send UUIDs or names of their own. */
const ID_CHARS_MAX = 1_000;

const Id = z.string().min(1).max(ID_CHARS_MAX);

/** Answers of one request: a run asks one thing at a time, and a client may still name others. */
const RESUME_ENTRIES_MAX = 100;

/** Longest answer, in characters of JSON: room for an input of the longest kind with every second character escaped. */
const PAYLOAD_CHARS_MAX = 2 * INPUT_BYTES_MAX;

/** Most values in an answer, or in a front end's state, which is sent back with the task in it: very many are slow to copy and to write. */
const VALUES_MAX = 10_000;

/** True for at most so many values, however deep. Looks at no more of them. */
const isSmall = (json: unknown): boolean => {
  const rest = [json];
  let count = 0;
  while (rest.length > 0) {
    const next = rest.pop() as Record<string, unknown> | null;
    if (typeof next !== 'object') continue;
    for (const key in next) {
      if (++count > VALUES_MAX) return false;
      rest.push(next[key]);
    }
  }
  return true;
};

const isShort = (payload: unknown): boolean =>
  isSmall(payload) && JSON.stringify(payload ?? null).length <= PAYLOAD_CHARS_MAX;

const ResumeEntry = z.object({
  interruptId: Id,
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().refine(isShort, `must be at most ${PAYLOAD_CHARS_MAX} characters of JSON`).optional(),
});
export type ResumeEntry = z.infer<typeof ResumeEntry>;

/** Counted before it is read, entry by entry. */
const fewEntries = z.custom<unknown[]>(
  (value) => Array.isArray(value) && value.length <= RESUME_ENTRIES_MAX,
  `must be a list of at most ${RESUME_ENTRIES_MAX}`,
);

/** The body of a run, as far as it counts here: the session has the conversation, and tools of the front end cannot be called. */
const RunInput = z.object({
  threadId: Id,
  runId: Id,
  protocolVersion: z.string().max(ID_CHARS_MAX).nullish(),
  /** Not read one by one: a front end sends the whole conversation, of which the newest message counts. */
  messages: z.custom<unknown[]>(Array.isArray, 'must be a list').default([]),
  state: z.unknown().refine(isSmall, `must have at most ${VALUES_MAX} values`).optional(),
  resume: fewEntries.pipe(z.array(ResumeEntry)).nullish(),
});
export type RunInput = z.infer<typeof RunInput>;

/** Reads a body. Throws `INVALID_REQUEST`. */
export const readRunInput = (body: unknown): RunInput => parsed(RunInput, body);

const textPart = (part: unknown): string[] => {
  const { type, text } = (part ?? {}) as Record<string, unknown>;
  return type === 'text' && typeof text === 'string' ? [text] : [];
};

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.flatMap(textPart).join('\n') : '';
};

/** The user's new message: the last one of the conversation, where nobody has answered it; null where there is none with text. Throws `INVALID_REQUEST`. */
export const newMessage = ({ messages }: RunInput): { id: string; text: string } | null => {
  // By hand: there may be more of them than a schema reads in time.
  for (let i = messages.length - 1; i >= 0; i--) {
    const { id, role, content } = (messages[i] ?? {}) as Record<string, unknown>;
    if (typeof role !== 'string')
      throw new ServiceError('INVALID_REQUEST', `messages[${i}] is no message: it has no role`);
    if (role === 'assistant' || role === 'tool') return null;
    if (role !== 'user') continue;
    const text = textOf(content).trim();
    return text === '' ? null : { id: typeof id === 'string' ? id : '', text };
  }
  return null;
};
