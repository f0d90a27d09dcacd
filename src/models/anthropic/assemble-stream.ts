import type Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { z } from 'zod';
import { brokenOff, NoAnswer } from '../http/no-answer.ts';
import { JSON_CHARS_MAX } from '../http/parse-body.ts';
import { CONTENT_BLOCKS_MAX, tooManyBlocks } from './content-blocks.ts';

const block = z.object({ type: z.string(), text: z.string().optional() });
const count = z.unknown();
const counts = z
  .object({
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
  })
  .partial()
  .nullish();

/** The events of the wire's stream, as far as they carry text, the stop reason or usage. */
const StreamEvent = z.object({
  type: z.string(),
  index: z.number().int().min(0).optional(),
  message: z.object({ usage: counts }).optional(),
  content_block: block.optional(),
  delta: z.looseObject({ text: z.string().optional(), stop_reason: z.string().nullish() }).optional(),
  usage: counts,
});

interface Assembled {
  content: unknown[];
  stop_reason: string | null;
  usage: Record<string, unknown>;
}

/**
 * Puts an event stream together into one message of the same shape as the JSON one. Servers may stream without being
 * asked to. Throws `NoAnswer` for a stream that breaks off or ends without `message_stop`, since its text may be half a text, and for one with
 * more text than a JSON body may have.
 */
export async function assembleStream(response: Response, client: Anthropic): Promise<Assembled> {
  /** By the index that the server gave: a map, since an index is no promise of how many there are. */
  const blocks = new Map<number, z.infer<typeof block>>();
  let stop_reason: string | null = null;
  const usage: Record<string, unknown> = {};
  let chars = 0;
  try {
    for await (const data of Stream.fromSSEResponse<unknown>(response, new AbortController(), client)) {
      const event = StreamEvent.parse(data);
      if (event.type === 'message_stop') return { content: [...blocks.values()], stop_reason, usage };
      const index = event.index ?? 0;
      if (event.content_block !== undefined) blocks.set(index, event.content_block);
      if (blocks.size > CONTENT_BLOCKS_MAX) throw tooManyBlocks();
      const target = blocks.get(index);
      chars += (event.content_block?.text?.length ?? 0) + (event.delta?.text?.length ?? 0);
      if (chars > JSON_CHARS_MAX) throw new NoAnswer((texts) => texts.tooManyChars(JSON_CHARS_MAX));
      if (event.delta?.text !== undefined && target !== undefined) target.text = (target.text ?? '') + event.delta.text;
      stop_reason = event.delta?.stop_reason ?? stop_reason;
      // Later counts are totals that replace earlier ones; what an event leaves null keeps its value.
      for (const [name, count] of Object.entries({ ...event.message?.usage, ...event.usage }))
        if (count !== null) usage[name] = count;
    }
  } catch (cause) {
    throw brokenOff(cause);
  }
  throw new NoAnswer((texts) => texts.streamUnfinished('message_stop'));
}
