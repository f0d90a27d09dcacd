import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { tokenCount } from '../../../contracts/usage.ts';
import { NoAnswer, readBody } from '../http/no-answer.ts';
import { parseBody } from '../http/parse-body.ts';
import type { AnswerFault, ModelReply } from '../port.ts';
import { assembleStream } from './assemble-stream.ts';
import { checkBlocks } from './content-blocks.ts';

/** Servers leave counts out, or null: a missing one is zero. */
const tokens = z.number().transform(tokenCount).catch(0);

/** What is needed of the wire's message, and no more, so that servers which only resemble the API are read too. */
const WireMessage = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
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
type WireMessage = z.infer<typeof WireMessage>;

/**
 * Reads a successful response, JSON or an event stream whichever the server chose, into the model's reply. Never parses the
 * answer's text and never runs a tool. Throws `NoAnswer` when the body breaks off or is no message.
 */
export async function readMessage(response: Response, client: Anthropic): Promise<ModelReply> {
  const streamed = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
  const message = WireMessage.safeParse(streamed ? await assembleStream(response, client) : await readJson(response));
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
}

function faultOf({ content, stop_reason }: WireMessage, text: string): AnswerFault {
  if (stop_reason === 'refusal') return 'refused';
  // Server and MCP tools have block types of their own, which end alike.
  if (stop_reason === 'tool_use' || content.some((block) => block.type.endsWith('tool_use'))) return 'tool_use';
  if (stop_reason === 'max_tokens' || stop_reason === 'model_context_window_exceeded') return 'truncated';
  return text.trim() === '' ? 'empty' : 'none';
}

async function readJson(response: Response): Promise<unknown> {
  return checkBlocks(parseBody(await readBody(response)));
}
