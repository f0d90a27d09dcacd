import type { FastifyReply, FastifyRequest } from 'fastify';
import type OpenAI from 'openai';
import { z } from 'zod';
import { promptTokens, totalTokens, type Usage } from '../../../../contracts/usage.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { parsed } from '../../server/parsed.ts';
import { errorBody } from '../../server/problem.ts';
import { dataMessage, disconnectSignal } from '../../streams/event-stream.ts';
import type { FinishedTurn } from '../conversations.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { readTurn, renderTurn } from '../render-turn.ts';
import { withLinks } from '../written-files.ts';
import { createContainerFiles } from './container-files.ts';
import { createConversationHandlers } from './conversations.ts';
import { createSubmitSaid, type SubmitSaid } from './find-session.ts';
import { formattedReply, Message, MetadataPairs, ReplyFormat } from './messages.ts';
import { createResponses } from './responses.ts';

/** The fields that are read from a request. All other fields of OpenAI's API are accepted and ignored. */
const Body = z.looseObject({
  model: z.string().max(200).default('tripact'),
  messages: z.array(Message).min(1),
  n: z.literal(1, 'can only be 1').nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  metadata: MetadataPairs,
  response_format: z
    .preprocess((format) => {
      const { type, json_schema } = (format ?? {}) as { type?: unknown; json_schema?: object };
      return json_schema == null ? format : { schema: {}, ...json_schema, type };
    }, ReplyFormat)
    .optional(),
});

const usageOf = (usage: Usage) =>
  ({
    prompt_tokens: promptTokens(usage),
    completion_tokens: usage.output_tokens,
    total_tokens: totalTokens(usage),
    prompt_tokens_details: { cached_tokens: usage.cache_read_tokens },
  }) satisfies OpenAI.CompletionUsage;

/** The reply, with links to the files that the task wrote: the API has no part for them. */
const contentOf = ({ turn, files }: FinishedTurn): string => withLinks(turn.output ?? '', files);

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string };

/** Submits a request of Chat Completions. Its messages, which may hold files, are let go. */
const submitChat = async (
  { waiting, streams }: Pick<ProtocolParts, 'waiting' | 'streams'>,
  submitSaid: SubmitSaid,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const { model, messages, stream, stream_options, metadata, response_format } = parsed(Body, request.body);
  (stream === true ? streams : waiting).take(request, reply);
  const submitted = await submitSaid(request, reply, messages, null, {
    metadata,
    answer_schema: response_format,
    isStream: stream === true,
    model,
    contentOf,
    names: { input: 'messages', files: 'messages', answer_schema: 'response_format' },
  });
  return { ...submitted, model, stream, stream_options, isPlain: response_format === undefined };
};

/** Answers `POST /v1/chat/completions`: progress as reasoning, the reply as content. */
const createChatCompletions =
  ({ waiting, streams }: ProtocolParts, submitSaid: SubmitSaid): ProtocolHandler =>
  async (request, reply) => {
    const submitted = await submitChat({ waiting, streams }, submitSaid, request, reply);
    const { turn, updates, model, stream, stream_options, isPlain } = submitted;
    /** The reply as content. Where a format is required and the reply does not have it, a refusal. */
    const saidIn = (finished: FinishedTurn) => {
      if (isPlain) return { content: contentOf(finished), refusal: null };
      const output = finished.turn.output ?? '';
      const content = formattedReply(finished.turn);
      return { content, refusal: content === null ? output : null };
    };
    const created = Math.floor(Date.parse(turn.created_at) / 1_000);
    const head = { id: `chatcmpl-${turn.id}`, created, model };
    if (stream !== true) {
      const { progress, usage, ...finished } = await readTurn(updates(disconnectSignal(reply)));
      const said = { role: 'assistant', ...saidIn(finished) } as const;
      const message = { ...said, ...(progress !== '' && { reasoning_content: progress }) };
      return {
        ...head,
        object: 'chat.completion',
        usage: usageOf(usage),
        choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      } satisfies OpenAI.ChatCompletion;
    }
    const chunkHead = { ...head, object: 'chat.completion.chunk' };
    const chunk = (delta: Delta, finish_reason: 'stop' | null = null): string =>
      dataMessage({ ...chunkHead, choices: [{ index: 0, delta, finish_reason }] });
    const done = 'data: [DONE]\n\n';
    return streams.send(request, reply, (signal) =>
      renderTurn(
        updates(signal),
        {
          begin: () => [chunk({ role: 'assistant', content: '' })],
          reasoning: { delta: (text) => [chunk({ reasoning_content: text })] },
          ...(isPlain && { textOf: contentOf }),
          text: {
            delta: (text, finished) => [chunk(isPlain || finished === null ? { content: text } : saidIn(finished))],
          },
          end: ({ usage }) => {
            const counted = dataMessage({ ...chunkHead, choices: [], usage: usageOf(usage) });
            return [chunk({}, 'stop'), ...(stream_options?.include_usage === true ? [counted] : []), done];
          },
          fail: (problem) => [dataMessage(errorBody(problem)), done],
        },
        { request, signal },
      ),
    );
  };

/** The model that stands for the service's default agent. */
const STANDARD = 'tripact';

const modelOf = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'tripact' }) satisfies OpenAI.Model;

export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const submitSaid = createSubmitSaid(parts);
  /** Each agent is a model. */
  const models = (): string[] => [...new Set([STANDARD, ...parts.agents().map(({ name }) => name)])];
  return {
    models: async () => ({ object: 'list', data: models().map(modelOf) }),
    model: async ({ params }) => {
      const { id } = params as { id: string };
      if (models().includes(id)) return modelOf(id);
      throw new ServiceError('NOT_FOUND', `The model '${id}' does not exist`);
    },
    chatCompletions: createChatCompletions(parts, submitSaid),
    containerFile: createContainerFiles(parts),
    ...createConversationHandlers(parts),
    ...createResponses(parts, submitSaid),
  };
};
