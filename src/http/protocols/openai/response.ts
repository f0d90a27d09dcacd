import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type OpenAI from 'openai';
import type { TurnStatus, TurnView } from '../../../../contracts/turn-view.ts';
import { promptTokens, totalTokens, type Usage } from '../../../../contracts/usage.ts';
import { errorBody } from '../../server/problem.ts';
import { dataMessage } from '../../streams/event-stream.ts';
import type { ConversationUpdate, FinishedTurn } from '../conversations.ts';
import { renderTurn, type TurnRecord, type TurnRenderer } from '../render-turn.ts';
import { citationsOf } from './container-files.ts';
import { formattedReply } from './messages.ts';

/** A response as it is sent; `output_text` exists only in the SDK. */
type WireResponse = Omit<OpenAI.Responses.Response, 'output_text' | 'access_programs' | 'usage'> & {
  usage: OpenAI.Responses.ResponseUsage | null;
};

/**
 * Fields of the request that the response repeats. They are not stored: a response that is fetched later has the
 * defaults.
 */
export type Echo = Partial<Pick<WireResponse, 'model' | 'metadata' | 'previous_response_id' | 'background' | 'text'>>;

const PREFIX = 'turn_';

const nameOf = ({ id }: TurnView): string => id.slice(PREFIX.length);

/** The id of the turn that is a response; for an id that is not ours, an id that no turn has. */
export const turnIdOf = (id: string): string => id.replace(/^resp_/, PREFIX);

const reasoningItem = (turn: TurnView, text: string): OpenAI.Responses.ResponseReasoningItem => ({
  id: `rs_${nameOf(turn)}`,
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
});

const textPart = (
  text: string,
  annotations: OpenAI.Responses.ResponseOutputText['annotations'] = [],
): OpenAI.Responses.ResponseOutputText => ({ type: 'output_text', text, annotations, logprobs: [] });

type ContentPart = OpenAI.Responses.ResponseOutputText | OpenAI.Responses.ResponseOutputRefusal;

/** The text of a turn's reply. */
export const replyText = ({ turn }: Pick<FinishedTurn, 'turn'>): string => formattedReply(turn) ?? turn.output ?? '';

/**
 * The reply of a turn, and the files that its task wrote as citations. Where a format is required and the reply does not
 * have it, a refusal.
 */
const contentOf = ({ turn, files }: FinishedTurn, { text: asked }: Echo): ContentPart => {
  const text = replyText({ turn });
  if (formattedReply(turn) === null && asked !== undefined) return { type: 'refusal', refusal: text };
  return textPart(text, citationsOf(turn.session_id, files, text));
};

const messageItem = (turn: TurnView, content: ContentPart | null): OpenAI.Responses.ResponseOutputMessage => ({
  id: `msg_${nameOf(turn)}`,
  type: 'message',
  role: 'assistant',
  status: content === null ? 'in_progress' : 'completed',
  content: content === null ? [] : [content],
});

const statuses: Record<TurnStatus, OpenAI.Responses.ResponseStatus> = {
  queued: 'queued',
  running: 'in_progress',
  answered: 'completed',
  asking: 'completed',
  ran: 'completed',
  paused: 'incomplete',
  failed: 'failed',
  cancelled: 'cancelled',
};

const usageOf = (usage: Usage) =>
  ({
    input_tokens: promptTokens(usage),
    input_tokens_details: { cached_tokens: usage.cache_read_tokens, cache_write_tokens: usage.cache_written_tokens },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: totalTokens(usage),
  }) satisfies OpenAI.Responses.ResponseUsage;

const seconds = (at: string): number => Math.floor(Date.parse(at) / 1_000);

/** Fields that OpenAI always sends, and that requests do not set or cannot change here. */
const constants = {
  max_output_tokens: null,
  max_tool_calls: null,
  presence_penalty: 0,
  frequency_penalty: 0,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
} as const;

/** An unfinished response in its current state. */
export const openResponse = (turn: TurnView, echo: Echo): WireResponse => ({
  ...constants,
  tools: [],
  id: `resp_${nameOf(turn)}`,
  object: 'response',
  created_at: seconds(turn.created_at),
  model: 'tripact',
  status: statuses[turn.status],
  background: false,
  conversation: turn.session_id === '' ? null : { id: turn.session_id },
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  output: [],
  parallel_tool_calls: false,
  previous_response_id: null,
  completed_at: null,
  usage: null,
  ...echo,
});

/**
 * A finished response: its progress as the summary of a reasoning item, the reply as a message. A paused task is an
 * incomplete response.
 */
export const finishedResponse = ({ turn, files, progress, usage }: TurnRecord, echo: Echo): WireResponse => {
  const text = turn.output ?? '';
  return {
    ...openResponse(turn, echo),
    completed_at: statuses[turn.status] === 'completed' && turn.finished_at !== null ? seconds(turn.finished_at) : null,
    error: turn.status === 'failed' ? { code: 'server_error', message: text } : null,
    output: [
      ...(progress === '' ? [] : [reasoningItem(turn, progress)]),
      messageItem(turn, contentOf({ turn, files }, echo)),
    ],
    usage: usageOf(usage),
  };
};

/** The user's words of a turn, as an item. */
export const inputItem = (turn: TurnView) => ({
  id: `msg_${nameOf(turn)}_input`,
  type: 'message' as const,
  role: 'user' as const,
  status: 'completed' as const,
  content: [{ type: 'input_text' as const, text: turn.input }],
});

/** A turn as items of a conversation, newest first. */
export const itemsOf = (turn: TurnView) => [
  ...(turn.output === null ? [] : [messageItem(turn, contentOf({ turn, files: [] }, {}))]),
  inputItem(turn),
];

/** A finished turn with a given text and no session, for requests that open no turn. `at` is epoch milliseconds. */
export const answeredAtOnce = (output: string, at: number) => {
  const finished_at = new Date(at).toISOString();
  const turn: TurnView = {
    id: `${PREFIX}${randomUUID().replaceAll('-', '')}`,
    session_id: '',
    task_id: null,
    kind: 'command',
    input: '',
    status: 'ran',
    output,
    question: null,
    options: null,
    approval: null,
    task: null,
    created_at: finished_at,
    finished_at,
  };
  return {
    turn,
    updates: async function* (): AsyncGenerator<ConversationUpdate> {
      yield { type: 'finished', turn, files: [] };
    },
  };
};

/** Every kind of event, without its number and with the response as it is sent. */
type Unnumbered<Event = OpenAI.Responses.ResponseStreamEvent> = Event extends { response: unknown }
  ? Omit<Event, 'sequence_number' | 'response'> & { response: WireResponse }
  : Omit<Event, 'sequence_number'>;

const events = (turn: TurnView, echo: Echo): TurnRenderer<Unnumbered> => {
  /** Retracted answers that were shown: each was an item of its own. */
  let withdrawn = 0;
  const itemOf = (content: ContentPart | null) => {
    const item = messageItem(turn, content);
    return withdrawn === 0 ? item : { ...item, id: `${item.id}_${withdrawn}` };
  };
  let replyAt = 0;
  const thought = { item_id: `rs_${nameOf(turn)}`, output_index: 0, summary_index: 0 };
  const said = () => ({ item_id: itemOf(null).id, output_index: replyAt + withdrawn, content_index: 0 });
  const opened = (part: ContentPart): Unnumbered[] => [
    { type: 'response.output_item.added', output_index: replyAt + withdrawn, item: itemOf(null) },
    { type: 'response.content_part.added', ...said(), part },
  ];
  const written = (delta: string): Unnumbered[] => [
    { type: 'response.output_text.delta', ...said(), delta, logprobs: [] },
  ];
  const cited = (part: ContentPart): Unnumbered[] =>
    part.type === 'refusal'
      ? []
      : part.annotations.map((annotation, annotation_index) => ({
          type: 'response.output_text.annotation.added' as const,
          ...said(),
          annotation_index,
          annotation,
        }));
  const closed = (part: ContentPart, item: OpenAI.Responses.ResponseOutputMessage): Unnumbered[] => [
    ...cited(part),
    part.type === 'refusal'
      ? { type: 'response.refusal.done', ...said(), refusal: part.refusal }
      : { type: 'response.output_text.done', ...said(), text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...said(), part },
    { type: 'response.output_item.done', output_index: replyAt + withdrawn, item },
  ];
  return {
    begin: () => {
      const response = { ...openResponse(turn, echo), status: 'in_progress' as const };
      return [
        { type: 'response.created', response },
        { type: 'response.in_progress', response },
      ];
    },
    reasoning: {
      open: () => {
        replyAt = 1;
        return [
          { type: 'response.output_item.added', output_index: 0, item: reasoningItem(turn, '') },
          { type: 'response.reasoning_summary_part.added', ...thought, part: { type: 'summary_text', text: '' } },
        ];
      },
      delta: (delta) => [{ type: 'response.reasoning_summary_text.delta', ...thought, delta }],
      close: (text) => [
        { type: 'response.reasoning_summary_text.done', ...thought, text },
        { type: 'response.reasoning_summary_part.done', ...thought, part: { type: 'summary_text', text } },
        { type: 'response.output_item.done', output_index: 0, item: reasoningItem(turn, text) },
      ],
    },
    isWhole: echo.text !== undefined,
    textOf: replyText,
    text: {
      open: (finished) => {
        if (finished === null) return opened(textPart(''));
        const { type } = contentOf(finished, echo);
        return opened(type === 'refusal' ? { type, refusal: '' } : textPart(''));
      },
      delta: (text, finished) => {
        const type = finished === null ? 'output_text' : contentOf(finished, echo).type;
        return type === 'refusal' ? [{ type: 'response.refusal.delta', ...said(), delta: text }] : written(text);
      },
      close: (text, finished) => {
        const part = finished === null ? textPart(text) : contentOf(finished, echo);
        return closed(part, itemOf(part));
      },
      retract: (text) => {
        const part = textPart(text);
        const sent = closed(part, { ...itemOf(part), status: 'incomplete' });
        withdrawn += 1;
        return sent;
      },
    },
    end: (record) => {
      const response = finishedResponse(record, echo);
      const { status } = response;
      // Clients know three ends; a cancelled response is sent as an incomplete one.
      return [{ type: `response.${status === 'failed' || status === 'completed' ? status : 'incomplete'}`, response }];
    },
    fail: (problem) => {
      const { code, message, param } = errorBody(problem).error;
      // Open parts stay open: their ends have numbers of their own when the stream is requested again.
      return [{ type: 'error', code, message, param }];
    },
  };
};

const ENDS: readonly string[] = ['response.completed', 'response.failed', 'response.incomplete'];

/**
 * Streams a turn as events of a response, those with a number greater than `after`, and always its end. Numbers count
 * from 0; an error that ends the stream takes no new number.
 */
export async function* responseStream(
  updates: AsyncIterable<ConversationUpdate>,
  { turn, echo, after = -1 }: { turn: TurnView; echo: Echo; after?: number | undefined },
  client: { request: FastifyRequest; signal: AbortSignal },
): AsyncGenerator<string> {
  let sequence_number = -1;
  for await (const event of renderTurn(updates, events(turn, echo), client)) {
    const isError = event.type === 'error';
    if (!isError) sequence_number += 1;
    // After a restart a reader may know larger numbers than the stored answer has.
    if (ENDS.includes(event.type)) sequence_number = Math.max(sequence_number, after + 1);
    if (isError || sequence_number > after) yield `event: ${event.type}\n${dataMessage({ ...event, sequence_number })}`;
  }
}
