import type Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import { z } from 'zod';
import { tokenCount } from '../../../contracts/usage.ts';
import type { AnswerFault, ModelReply } from '../port.ts';
import { NoAnswer } from '../verdict.ts';

/** Servers leave counts out, or null: a missing one is zero. */
const tokens = z.number().transform(tokenCount).catch(0);

const Block = z.object({ type: z.string(), text: z.string().optional() });

/** The fields of the wire's message that are needed, and no more, so that servers which only resemble the API are read too. */
const WireMessage = z.object({
  content: z.array(Block),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: tokens,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: tokens,
      output_tokens: tokens,
    })
    .nullish()
    .catch(null),
});

/** Whatever counts an event has: they are read with the whole message. */
const counts = z.record(z.string(), z.unknown()).nullish();

/** The events of the wire's stream, as far as they carry text, the stop reason or usage. */
const StreamEvent = z.object({
  type: z.string(),
  index: z.number().int().min(0).optional(),
  message: z.object({ usage: counts }).optional(),
  content_block: Block.optional(),
  delta: z.looseObject({ text: z.string().optional(), stop_reason: z.string().nullish() }).optional(),
  usage: counts,
});

/**
 * Reads a successful response, JSON or an event stream whichever the server chose, into the model's reply. Never parses the
 * answer's text and never runs a tool. Throws `NoAnswer` when the body breaks off or is no message.
 */
export const readMessage = async (response: Response, client: Anthropic): Promise<ModelReply> => {
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  const message = WireMessage.safeParse(await (isStream ? assembleStream(response, client) : readJson(response)));
  if (!message.success) throw new NoAnswer((texts) => texts.noMessage);
  const { content, usage } = message.data;
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  return {
    text,
    fault: faultOf(message.data, text),
    usage: {
      input_tokens: usage?.input_tokens ?? 0,
      output_tokens: usage?.output_tokens ?? 0,
      ...(usage?.cache_creation_input_tokens && { cache_written_tokens: usage.cache_creation_input_tokens }),
      ...(usage?.cache_read_input_tokens && { cache_read_tokens: usage.cache_read_input_tokens }),
    },
  };
};

const faultOf = ({ content, stop_reason }: z.infer<typeof WireMessage>, text: string): AnswerFault => {
  if (stop_reason === 'refusal') return 'refused';
  // Server and MCP tools have block types of their own, which end alike.
  if (stop_reason === 'tool_use' || content.some((block) => block.type.endsWith('tool_use'))) return 'tool_use';
  if (stop_reason === 'max_tokens' || stop_reason === 'model_context_window_exceeded') return 'truncated';
  return text.trim() === '' ? 'empty' : 'none';
};

/** Parses a JSON body. Throws `NoAnswer`, which never quotes it. */
const readJson = async (response: Response): Promise<unknown> => {
  const body = (await response.text()).trim();
  if (body === '') throw new NoAnswer((texts) => texts.emptyBody);
  try {
    return JSON.parse(body);
  } catch {
    throw new NoAnswer((texts) => (body.startsWith('<') ? texts.htmlBody : texts.brokenJson));
  }
};

/**
 * Puts an event stream together into one message of the same shape as the JSON one. Throws `NoAnswer` for a stream that breaks off or ends
 * without `message_stop`, since its text may be half a text.
 */
const assembleStream = async (response: Response, client: Anthropic): Promise<unknown> => {
  /** By the index that the server gave: a map, since an index is no promise of how many there are. */
  const blocks = new Map<number, z.infer<typeof Block>>();
  let stop_reason: string | null = null;
  const usage: Record<string, unknown> = {};
  try {
    for await (const data of Stream.fromSSEResponse<unknown>(response, new AbortController(), client)) {
      const { type, index = 0, message, content_block, delta, usage: counted } = StreamEvent.parse(data);
      if (type === 'message_stop') return { content: [...blocks.values()], stop_reason, usage };
      if (content_block !== undefined) blocks.set(index, content_block);
      const target = blocks.get(index);
      if (delta?.text !== undefined && target !== undefined) target.text = (target.text ?? '') + delta.text;
      stop_reason = delta?.stop_reason ?? stop_reason;
      // Later counts are totals that replace earlier ones; what an event leaves null keeps its value.
      for (const [name, count] of Object.entries({ ...message?.usage, ...counted }))
        if (count !== null) usage[name] = count;
    }
  } catch (cause) {
    throw new NoAnswer((texts) => texts.brokeOff, { cause });
  }
  throw new NoAnswer((texts) => texts.streamUnfinished('message_stop'));
};
