import type { FastifyRequest } from 'fastify';
import type OpenAI from 'openai';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import type { ConversationUpdate } from '../port.ts';
import { renderTurn, type TurnRenderer } from '../render-turn.ts';
import { errorBody } from './errors.ts';
import {
  type Echo,
  finishedResponse,
  messageItem,
  openResponse,
  reasoningItem,
  textPart,
  type WireResponse,
} from './response-object.ts';

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;
/** Each kind of event without its number, and with a response as it goes over the wire. */
type Unnumbered<Event = StreamEvent> = Event extends { response: unknown }
  ? Omit<Event, 'sequence_number' | 'response'> & { response: WireResponse }
  : Omit<Event, 'sequence_number'>;

/** Clients know three ends: a cancelled response comes as one that is not complete. */
const endOf = (response: WireResponse): Unnumbered => {
  const { status } = response;
  if (status === 'failed' || status === 'completed') return { type: `response.${status}`, response };
  return { type: 'response.incomplete', response };
};

const events = (turn: TurnView, echo: Echo): TurnRenderer<Unnumbered> => {
  let replyAt = 0;
  const thought = { item_id: reasoningItem(turn, '').id, output_index: 0, summary_index: 0 };
  const said = () => ({ item_id: messageItem(turn, null).id, output_index: replyAt, content_index: 0 });
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
    text: {
      open: () => [
        { type: 'response.output_item.added', output_index: replyAt, item: messageItem(turn, null) },
        { type: 'response.content_part.added', ...said(), part: textPart('') },
      ],
      delta: (delta) => [{ type: 'response.output_text.delta', ...said(), delta, logprobs: [] }],
      close: (text) => [
        { type: 'response.output_text.done', ...said(), text, logprobs: [] },
        { type: 'response.content_part.done', ...said(), part: textPart(text) },
        { type: 'response.output_item.done', output_index: replyAt, item: messageItem(turn, text) },
      ],
    },
    end: (record) => [endOf(finishedResponse(record, echo))],
    fail: (problem) => {
      const { code, message, param } = errorBody(problem).error;
      return [{ type: 'error', code, message, param }];
    },
  };
};

/**
 * Streams a turn as the events of a response: those whose number is greater than `after`. Numbers count from 0, and are the same again
 * whenever the turn is followed; where it can't be followed to its end, what closes the stream takes no new number.
 */
export async function* responseStream(
  updates: AsyncIterable<ConversationUpdate>,
  { turn, echo, after = -1 }: { turn: TurnView; echo: Echo; after?: number | undefined },
  client: { request: FastifyRequest; signal: AbortSignal },
): AsyncGenerator<string> {
  let isBroken = false;
  async function* watched(): AsyncGenerator<ConversationUpdate> {
    try {
      yield* updates;
    } catch (error) {
      isBroken = true;
      throw error;
    }
  }
  let sequence_number = -1;
  for await (const event of renderTurn(watched(), events(turn, echo), client)) {
    if (!isBroken) sequence_number += 1;
    if (isBroken || sequence_number > after)
      yield `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`;
  }
}
