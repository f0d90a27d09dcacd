import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { z } from 'zod';
import { promptTokens, totalTokens, type Usage } from '../../../../contracts/usage.ts';
import { dataMessage, disconnectSignal } from '../../streams/event-stream.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { readTurn, renderTurn } from '../render-turn.ts';
import { parsed } from '../request.ts';
import { errorBody, refuseWith } from './errors.ts';
import { createSubmitAsked, type SubmitAsked } from './find-session.ts';
import { askedOf, Message, MetadataPairs } from './messages.ts';
import { createResponses } from './responses.ts';
import { type SideAnswer, sideAnswer } from './side-jobs.ts';

/** The fields that are read of a request; everything else of OpenAI's API is taken and changes nothing. */
const Body = z.looseObject({
  model: z.string().max(200).default('tripact'),
  messages: z.array(Message).min(1),
  n: z.literal(1, 'can only be 1').nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  metadata: MetadataPairs,
  /** The first is a tool by which a client wants an object: a function whose arguments are the answer. */
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })).nullish(),
});

type Reply = OpenAI.ChatCompletionMessage & { reasoning_content?: string };

const usageOf = (usage: Usage) =>
  ({
    prompt_tokens: promptTokens(usage),
    completion_tokens: usage.output_tokens,
    total_tokens: totalTokens(usage),
    prompt_tokens_details: { cached_tokens: usage.cache_read_tokens },
  }) satisfies OpenAI.CompletionUsage;

const sideReply = ({ text, fields }: SideAnswer, { tools, response_format }: z.infer<typeof Body>): Reply => {
  const content = fields !== undefined && response_format !== undefined ? JSON.stringify(fields) : text;
  const name = tools?.[0]?.function?.name;
  if (fields === undefined || name === undefined) return { role: 'assistant', content, refusal: null };
  const call = { id: `call_${randomUUID()}`, function: { name, arguments: JSON.stringify(fields) } };
  return { role: 'assistant', content: null, refusal: null, tool_calls: [{ type: 'function', ...call }] };
};

const DONE = 'data: [DONE]\n\n';

/** The two forms of a completion: whole, and in chunks as they go over the wire. */
const completion = (id: string, created: number, model: string) => {
  const head = { id: `chatcmpl-${id}`, created, model };
  const chunkHead = { ...head, object: 'chat.completion.chunk' };
  return {
    whole: (message: Reply, usage: Usage | null): OpenAI.ChatCompletion => {
      const finish_reason = message.tool_calls === undefined ? 'stop' : 'tool_calls';
      const choices = [{ index: 0, message, logprobs: null, finish_reason } as const];
      return { ...head, object: 'chat.completion', choices, ...(usage !== null && { usage: usageOf(usage) }) };
    },
    chunk: (
      delta: OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string },
      finish_reason: OpenAI.ChatCompletionChunk.Choice['finish_reason'] = null,
    ): string => dataMessage({ ...chunkHead, choices: [{ index: 0, delta, finish_reason }] }),
    usageChunk: (usage: Usage): string => dataMessage({ ...chunkHead, choices: [], usage: usageOf(usage) }),
  };
};

/** Answers `POST /v1/chat/completions`: progress as reasoning, the reply as content. */
const createChatCompletions =
  ({ waiting, streams, now }: ProtocolParts, submitAsked: SubmitAsked): ProtocolHandler =>
  async (request, reply) => {
    const body = parsed(Body, request.body);
    const { model, messages, stream_options } = body;
    const isStream = body.stream === true;
    const created = Math.floor(now() / 1_000);
    const side = sideAnswer(messages);
    (isStream ? streams : waiting).take(request, reply);
    if (side !== null) {
      const { whole, chunk } = completion(randomUUID(), created, model);
      const message = sideReply(side, body);
      if (!isStream) return whole(message, null);
      const { role, content, tool_calls = [] } = message;
      const calls = tool_calls.map((call, index) => ({ index, ...call }));
      return streams.send(request, reply, async function* () {
        yield chunk({ role, content, ...(calls.length > 0 && { tool_calls: calls }) });
        yield chunk({}, calls.length > 0 ? 'tool_calls' : 'stop') + DONE;
      });
    }
    const { turn, updates } = await submitAsked(request, reply, askedOf(messages), null, body.metadata);
    const { whole, chunk, usageChunk } = completion(turn.id, created, model);
    if (!isStream) {
      const { turn: finished, progress, usage } = await readTurn(updates(disconnectSignal(reply)));
      const message: Reply = { role: 'assistant', content: finished.output ?? '', refusal: null };
      return whole({ ...message, ...(progress !== '' && { reasoning_content: progress }) }, usage);
    }
    return streams.send(request, reply, (signal) =>
      renderTurn(
        updates(signal),
        {
          begin: () => [chunk({ role: 'assistant', content: '' })],
          reasoning: { delta: (text) => [chunk({ reasoning_content: text })] },
          text: { delta: (text) => [chunk({ content: text })] },
          end: ({ usage }) => [
            chunk({}, 'stop'),
            ...(stream_options?.include_usage === true ? [usageChunk(usage)] : []),
            DONE,
          ],
          fail: (problem) => [dataMessage(errorBody(problem)), DONE],
        },
        { request, signal },
      ),
    );
  };

const MODEL = { id: 'tripact', object: 'model', created: 0, owned_by: 'tripact' } as const;

/** Makes the handlers of OpenAI's API. */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const submitAsked = createSubmitAsked(parts);
  return {
    models: async () => ({ object: 'list', data: [MODEL] }),
    model: async ({ params }, reply) => {
      const { id } = params as { id: string };
      if (id === MODEL.id) return MODEL;
      return refuseWith(reply, 404, `The model '${id}' does not exist`, 'model', 'model_not_found');
    },
    chatCompletions: createChatCompletions(parts, submitAsked),
    // A conversation is a session under any name, so there is nothing to keep.
    createConversation: async () => ({
      id: `conv_${randomUUID().replaceAll('-', '')}`,
      object: 'conversation',
      created_at: Math.floor(parts.now() / 1_000),
      metadata: {},
    }),
    ...createResponses(parts, submitAsked),
  };
};
