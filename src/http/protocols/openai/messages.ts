import { z } from 'zod';
import type { TurnFile } from '../../../../contracts/file.ts';
import { CONTEXT_CHARS_MAX, METADATA_BYTES_MAX } from '../../../../contracts/limits.ts';
import { cutText } from '../../../../contracts/text.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { invalidRequest, textOf, wordsAndFiles } from '../request.ts';
import { fileOfPart } from './files.ts';

/** A message as a front end sends it, in either API. */
export interface Said {
  /** `tool` for the result of a client's tool, whatever the API calls it; other items have their own names. */
  role: string;
  text: string;
  /** Its parts that are neither text nor reasoning: images, files, audio. */
  media: readonly Part[];
}

const Part = z
  .looseObject({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() })
  .transform(({ text, refusal, ...part }) => ({ ...part, text: text ?? refusal ?? undefined }));
type Part = z.infer<typeof Part>;

const LEFT_OUT = ['reasoning', 'thinking', 'reasoning_text', 'summary_text'];

/** The result of a tool that the client ran, among the items of Responses. */
const TOOL_RESULT = /_(?:output|response)$/;

const isText = ({ text }: Part): boolean => text !== undefined;

/** The `metadata` of a request or a conversation. */
export const MetadataPairs = z
  .record(z.string(), z.string())
  .refine(
    (pairs) => Buffer.byteLength(JSON.stringify(pairs)) <= METADATA_BYTES_MAX,
    `must be at most ${METADATA_BYTES_MAX} bytes as JSON`,
  )
  .nullish();

/** True where the tool choice leaves it to the service whether to call a tool. */
const isFree = (choice: unknown): boolean => {
  if (choice == null || choice === 'auto' || choice === 'none') return true;
  const { type, mode, allowed_tools } = choice as {
    type?: unknown;
    mode?: unknown;
    allowed_tools?: { mode?: unknown };
  };
  return type === 'allowed_tools' && (allowed_tools?.mode ?? mode) === 'auto';
};

/** Refuses a request whose reply must call a client's tool, since the service never calls those. */
export const refuseForcedTool = (body: unknown): void => {
  for (const field of ['tool_choice', 'function_call'])
    if (!isFree((body as Record<string, unknown>)[field]))
      throw invalidRequest(
        `'${field}' can only be auto or none: Tripact runs its own tools and calls none of yours`,
        field,
      );
};

/** The format required for the reply, as the schema of the answer; undefined: any text. Refuses other formats. */
export const ReplyFormat = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text') }),
    z.looseObject({ type: z.literal('json_object') }),
    z.looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }),
  ])
  .nullish()
  .transform((format) => {
    if (format == null || format.type === 'text') return undefined;
    return format.type === 'json_schema' ? format.schema : { type: 'object' };
  });

/** The text of a turn whose reply has a format: the answer, or null where the turn has none and says something else. */
export const formattedReply = ({ answer }: TurnView): string | null =>
  answer === undefined ? null : JSON.stringify(answer);

/** A message of Chat Completions, or an item of Responses. */
export const Message = z
  .looseObject({
    role: z.string().nullish(),
    type: z.string().nullish(),
    content: z.union([z.string(), z.array(Part)]).nullish(),
    refusal: z.string().nullish(),
  })
  .refine(({ role, type }) => (role ?? type) != null, 'it has no role')
  .transform(({ role, type, refusal, content }): Said => {
    const given = content ?? refusal ?? [];
    const parts = typeof given === 'string' ? [{ type: 'text', text: given }] : given;
    const read = parts.filter((part) => !LEFT_OUT.includes(part.type));
    return {
      role: role === 'function' || TOOL_RESULT.test(type ?? '') ? 'tool' : (role ?? type ?? ''),
      text: textOf(read),
      media: read.filter((part) => !isText(part)),
    };
  });

/** The input for a request that ends with the assistant's message: the user wants it to continue. */
const CONTINUE = 'continue';

/** A turn's input, the front end's additions to it, and the messages before it. */
export interface ChatInput {
  /** Absent: the message has files and no words. */
  input?: string;
  files?: TurnFile[];
  context?: string;
  earlier: readonly Said[];
}

/**
 * Start and end of what Open WebUI found in files, knowledge and the web. Its instructions come before it, the user's
 * words after it.
 */
const SOURCES = /^\s*### Task:[\s\S]*?<context>([\s\S]*)<\/context>/;

/**
 * An Open WebUI message without its template; any other message unchanged. A source cannot end the sources: the last
 * mark counts.
 */
const withoutTemplate = (text: string): { input: string; context?: string } => {
  const [template = '', sources = ''] = SOURCES.exec(text) ?? [];
  const input = text.slice(template.length).trim();
  if (template === '' || input === '') return { input: text.trim() };
  const context = cutText(sources.trim(), CONTEXT_CHARS_MAX).toWellFormed();
  return { input, ...(context !== '' && { context }) };
};

/**
 * The last user message as the turn's input, or "continue" where the assistant spoke last. Throws `INVALID_REQUEST`
 * where there is none, for media that are no file, and for a client's tool result; `field` is where the request has its
 * messages.
 */
export const chatInputOf = (said: readonly Said[], field: string): ChatInput => {
  const at = said.findLastIndex(({ role }) => role === 'user' || role === 'assistant' || role === 'tool');
  const { role, text, media } = said[at] ?? { role: 'user', text: '', media: [] };
  if (role === 'tool')
    throw invalidRequest('The last message is the result of a tool, but Tripact runs its own tools', field);
  if (role === 'assistant') return { input: CONTINUE, earlier: said.slice(0, at + 1) };
  const files = media.map((part) => fileOfPart(part, field));
  const { input, ...found } = withoutTemplate(text);
  if (input === '' && files.length === 0) throw invalidRequest('There is no user message with text', field);
  return { ...wordsAndFiles(input, files), ...found, earlier: said.slice(0, at) };
};
