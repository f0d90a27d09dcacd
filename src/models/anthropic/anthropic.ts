import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  MessageCreateParamsNonStreaming,
  OutputConfig,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import { Stream } from '@anthropic-ai/sdk/streaming';
import { z } from 'zod';
import { providerUsage, tokenCount } from '../../../contracts/usage.ts';
import { parseExactly } from '../../lib/exact-json.ts';
import { BodyWithFiles } from '../asking/body-with-files.ts';
import { anthropicMarks } from '../asking/cache-marks.ts';
import { readCall } from '../asking/calls.ts';
import { type FilledPart, joinedTexts } from '../asking/fill-prompt.ts';
import { createLimitedFetch, EVENT_STREAM, IDLE_MS_MAX, idleMsUnder } from '../asking/limited-fetch.ts';
import {
  type CallForm,
  createRetryingModel,
  mayCutPrompts,
  type OnPiece,
  type ServerModelOptions,
} from '../asking/retry.ts';
import { createStreamChoice, type StreamChoice } from '../asking/stream-choice.ts';
import { type ErrorResponse, errorIn, NoAnswer } from '../asking/verdict.ts';
import type { AnswerFault, Model, ModelReply, PromptPart, WireTool } from '../port.ts';
import { textOf } from '../prompt/prompt-text.ts';

/** Longest answer requested, in tokens: as long as a response may be, and short enough to be sent without streaming. */
export const ANSWER_TOKENS_MAX = 16_000;

/**
 * The SDK's client for one server, by default Anthropic's; `baseURL` has no `/v1`. It never retries or logs, and never
 * looks for credentials in files or other variables.
 */
export const createAnthropicClient = ({
  apiKey,
  baseURL,
  idleMs = IDLE_MS_MAX,
}: Pick<ServerModelOptions, 'apiKey' | 'baseURL' | 'idleMs'>): Anthropic =>
  new Anthropic({
    // The SDK requires some key, else it searches the host's profiles for one; the null header keeps this one from
    // being sent.
    apiKey: apiKey || 'no-key-configured',
    defaultHeaders: apiKey ? {} : { authorization: null },
    baseURL: baseURL ?? null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: createLimitedFetch(idleMs),
  });

const MARK = { cache_control: { type: 'ephemeral' } } as const;

const systemOf = (parts: readonly PromptPart[], withMarks: boolean): string | TextBlockParam[] => {
  const marks = anthropicMarks(parts);
  if (!withMarks || marks.size === 0) return textOf(parts);
  return parts.map(({ text }, i) => ({ type: 'text', text, ...(marks.has(i) && MARK) }));
};

type ContentBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

const blockOf = ({ text, media }: FilledPart, files: BodyWithFiles): ContentBlock => {
  if (media === undefined) return { type: 'text', text };
  const { media_type, name } = media;
  const source = { type: 'base64' as const, data: files.placeFor(media.bytes) };
  if (media_type === 'application/pdf') return { type: 'document', source: { ...source, media_type }, title: name };
  return { type: 'image', source: { ...source, media_type: media_type as Base64ImageSource['media_type'] } };
};

const contentOf = (parts: readonly FilledPart[], withMarks: boolean, files: BodyWithFiles): string | ContentBlock[] => {
  const blocksOf = (given: readonly FilledPart[]) => given.map((part) => blockOf(part, files));
  const marks = withMarks ? anthropicMarks(parts) : new Set<number>();
  if (marks.size > 0) return blocksOf(parts).map((block, i) => ({ ...block, ...(marks.has(i) && MARK) }));
  const joined = joinedTexts(parts);
  return joined.some(({ media }) => media !== undefined) ? blocksOf(joined) : textOf(joined);
};

/** The format of the answer and the effort; null: neither is requested. */
const outputOf = ({ schema, effort }: CallForm): OutputConfig | null => {
  if (schema === null && effort === null) return null;
  return {
    ...(schema !== null && { format: { type: 'json_schema', schema } }),
    ...(effort !== null && { effort }),
  };
};

const toolOf = ({ name, description, schema }: WireTool): Tool => ({
  name,
  description,
  input_schema: { ...schema, type: 'object' },
});

/** A model behind the messages API, Anthropic's or another's (SPEC 9), with the retries of `createRetryingModel`. */
export const createAnthropicModel = (options: ServerModelOptions): Model => {
  const { model, apiKey, baseURL, takesFiles = [], idleMs = idleMsUnder(options.timeoutMs), ...retrying } = options;
  const client = createAnthropicClient({ apiKey, baseURL, idleMs });
  const choice = createStreamChoice();
  return createRetryingModel({
    ...retrying,
    name: `anthropic:${model}`,
    provider: {
      endpoint: {
        settings: { model: 'TRIPACT_MODEL', key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
        apiKey: client.apiKey,
        urlEnd: 'none',
        mayCutPrompts: mayCutPrompts(baseURL),
      },
      call: async (prompt, form, signal, onText) => {
        const { withMarks } = form;
        const output = outputOf(form);
        const files = new BodyWithFiles();
        const body: MessageCreateParamsNonStreaming = {
          model,
          max_tokens: ANSWER_TOKENS_MAX,
          system: systemOf(prompt.system, withMarks),
          ...(output !== null && { output_config: output }),
          // Tools come first and the system prompt after them is marked, so that both are cached.
          ...(prompt.tools !== null && { tools: prompt.tools.map(toolOf) }),
          messages: [{ role: 'user', content: contentOf(prompt.user, withMarks, files) }],
        };
        const asked = { signal, timeout: retrying.timeoutMs };
        const post = (sent: object, headers: Record<string, string> = {}): Promise<Response> => {
          if (files.isEmpty()) return client.post('/v1/messages', { body: sent, headers, ...asked }).asResponse();
          const { length, pieces } = files.read(sent);
          const ofBody = { 'content-type': 'application/json', 'content-length': String(length) };
          return client
            .post('/v1/messages', { body: pieces, headers: { ...headers, ...ofBody }, ...asked })
            .asResponse();
        };
        // Not `client.messages.create`, so that servers which only resemble the API work too.
        const whole = async () => {
          const reply = await readMessage(await post(body));
          choice.answeredWhole();
          return reply;
        };
        if (onText === undefined || !choice.isOn()) return whole();
        const response = await post({ ...body, stream: true }, { accept: EVENT_STREAM }).catch((error: unknown) => {
          if (error instanceof APIError && (error.status === 400 || error.status === 422)) return null;
          throw error;
        });
        if (response === null) {
          const reply = await whole();
          choice.unread();
          return reply;
        }
        if (response.headers.get('content-type')?.startsWith(EVENT_STREAM) === true)
          return readStream(response, client, onText, choice);
        return readMessage(response).catch((error: unknown) => {
          choice.unread();
          throw error;
        });
      },
      takesSchema: true,
      takesFiles,
      faultOf,
    },
  });
};

const faultOf = (error: unknown): ErrorResponse | 'connection' | null => {
  if (error instanceof APIConnectionError) return 'connection';
  if (!(error instanceof APIError) || error.status === undefined) return null;
  const { status, message, headers, errorCode } = error;
  return {
    status,
    said: errorIn(error.error) ?? message,
    body: message,
    retryAfter: headers?.get('retry-after'),
    isSpent: errorCode === 'enforced_spend_limit_reached',
  };
};

/** The required fields of a message, and no more, so that servers which only resemble the API work too. */
const WireMessage = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: z.unknown().optional(),
      cache_creation_input_tokens: z.unknown().optional(),
      cache_read_input_tokens: z.unknown().optional(),
      output_tokens: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
});

/**
 * Reads a successful response into the model's reply, its text unparsed. Throws `NoAnswer`, which never quotes the
 * body, if it is not a message.
 */
const readMessage = async (response: Response): Promise<ModelReply> => {
  const body = (await response.text()).trim();
  if (body === '') throw new NoAnswer('the server answered 200 with an empty body');
  let json: unknown;
  try {
    json = parseExactly(body);
  } catch {
    throw new NoAnswer(`the server answered 200 with ${body.startsWith('<') ? 'an HTML page' : 'broken JSON'}`);
  }
  return replyOf(json);
};

interface WireEvent {
  type?: string;
  index?: number;
  message?: { usage?: object };
  content_block?: { type: string; text?: string; name?: string; input?: unknown };
  delta?: { type?: string; text?: string; partial_json?: string; stop_reason?: string | null };
  usage?: object;
}

/**
 * Reads a stream's events into their message, passing on its text as it arrives. Throws `NoAnswer` if the stream breaks
 * off.
 */
const readStream = async (
  response: Response,
  client: Anthropic,
  onText: OnPiece,
  choice: StreamChoice,
): Promise<ModelReply> => {
  const content: { type: string; text: string; name?: string | undefined; input?: unknown }[] = [];
  /** The arguments of each call, as JSON text so far. */
  const pieces = new Map<number, string>();
  let usage = {};
  let stop_reason: string | null = null;
  let isWhole = false;
  try {
    for await (const event of Stream.fromSSEResponse<WireEvent>(response, new AbortController(), client)) {
      const { type, index = 0, message, content_block: block, delta } = event;
      usage = { ...usage, ...message?.usage, ...event.usage };
      stop_reason = delta?.stop_reason ?? stop_reason;
      if (block !== undefined) {
        const { type: kind, text: begun = '', name, input } = block;
        content[index] = { type: kind, text: begun, name, input };
      }
      const text = delta?.type === 'text_delta' ? (delta.text ?? '') : (block?.text ?? '');
      if (text !== '') onText(text);
      const at = content[index];
      if (delta?.type === 'text_delta' && at !== undefined) at.text += text;
      if (delta?.type === 'input_json_delta' && at !== undefined) {
        pieces.set(index, (pieces.get(index) ?? '') + (delta.partial_json ?? ''));
        const isFirst = content.find((each) => each?.type === 'tool_use') === at;
        if (isFirst && at.name === 'finish') onText(delta.partial_json ?? '', 'finish');
      }
      isWhole ||= type === 'message_stop';
    }
  } catch (error) {
    // An error within a stream has no status, so another attempt may succeed.
    if (error instanceof APIError)
      throw new NoAnswer('the server ended the answer with an error', { cause: error, said: errorIn(error.error) });
    if (!(error instanceof SyntaxError)) throw error;
    isWhole = false;
  }
  if (!isWhole) {
    choice.unread();
    throw new NoAnswer('the stream of the answer has no last event, or cannot be read');
  }
  choice.read();
  for (const [index, json] of pieces) {
    const at = content[index];
    if (at !== undefined && json !== '') at.input = json;
  }
  return replyOf({ content: content.filter(Boolean), stop_reason, usage });
};

/** A message as the model's reply. Throws `NoAnswer` for anything else. */
const replyOf = (json: unknown): ModelReply => {
  const message = WireMessage.safeParse(json);
  if (!message.success)
    throw new NoAnswer('the server answered 200 with something that is not a message', { said: errorIn(json) });
  const { content, usage, stop_reason } = message.data;
  const written = tokenCount(usage?.cache_creation_input_tokens);
  const read = tokenCount(usage?.cache_read_input_tokens);
  const named = content.flatMap(({ type, name, input }) =>
    type === 'tool_use' && name !== undefined ? [readCall(name, input)] : [],
  );
  // The last block was cut, whatever its arguments look like.
  const isCut = CUTS.includes(stop_reason ?? '') && content.at(-1)?.type === 'tool_use';
  const calls = isCut ? named.slice(0, -1) : named;
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  return {
    text,
    calls,
    fault: calls.length > 0 ? 'none' : answerFaultOf(message.data, text),
    usage: providerUsage({
      input_tokens: usage?.input_tokens,
      output_tokens: usage?.output_tokens,
      ...(written > 0 && { cache_written_tokens: written }),
      ...(read > 0 && { cache_read_tokens: read }),
    }),
  };
};

/** Stop reasons of a message that was cut. */
const CUTS: readonly string[] = ['max_tokens', 'model_context_window_exceeded', 'refusal'];

const answerFaultOf = ({ content, stop_reason }: z.infer<typeof WireMessage>, text: string): AnswerFault => {
  if (stop_reason === 'refusal') return 'refused';
  if (stop_reason === 'max_tokens' || stop_reason === 'model_context_window_exceeded') return 'truncated';
  // Server and MCP tools have block types of their own, with the same ending.
  if (stop_reason === 'tool_use' || content.some((block) => block.type.endsWith('tool_use'))) return 'tool_use';
  if (text.trim() !== '') return 'none';
  return content.some((block) => block.type.endsWith('thinking')) ? 'only_reasoning' : 'empty';
};
