import type OpenAI from 'openai';
import type { Problem } from '../../../../contracts/http.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import type { ConversationUpdate } from '../port.ts';
import { errorBody } from './error-body.ts';
import { type Echo, finishedResponse, messageItem, openResponse, reasoningItem, textPart } from './response-object.ts';
import { createTurnUsage } from './turn-record.ts';

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;
/** Each kind of event without its number, and with a response as it goes over the wire. */
type Unnumbered<Event = StreamEvent> = Event extends { response: unknown }
  ? Omit<Event, 'sequence_number' | 'response'> & { response: ReturnType<typeof openResponse> }
  : Omit<Event, 'sequence_number'>;

/** An event by its number in its stream. */
export type NumberedEvent = Unnumbered & { sequence_number: number };

/** A stream's message. */
export const writeEvent = (event: NumberedEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** The reply as it is told in a stream: an item, its one part, and the text in it. */
function* messageEvents(turn: TurnView, output_index: number): Generator<Unnumbered> {
  const text = turn.output ?? '';
  const item_id = messageItem(turn, text).id;
  const place = { item_id, output_index, content_index: 0 };
  yield { type: 'response.output_item.added', output_index, item: messageItem(turn, null) };
  yield { type: 'response.content_part.added', ...place, part: textPart('') };
  yield { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] };
  yield { type: 'response.output_text.done', ...place, text, logprobs: [] };
  yield { type: 'response.content_part.done', ...place, part: textPart(text) };
  yield { type: 'response.output_item.done', output_index, item: messageItem(turn, text) };
}

async function* unnumbered(
  turn: TurnView,
  updates: AsyncIterable<ConversationUpdate>,
  echo: Echo,
): AsyncGenerator<Unnumbered> {
  const response = { ...openResponse(turn, echo), status: 'in_progress' as const };
  yield { type: 'response.created', response };
  yield { type: 'response.in_progress', response };
  const usage = createTurnUsage();
  const { id: item_id } = reasoningItem(turn, '');
  const place = { item_id, output_index: 0, summary_index: 0 };
  let progress = '';
  for await (const update of updates) {
    usage.see(update);
    if (update.type === 'progress') {
      if (progress === '') {
        yield { type: 'response.output_item.added', output_index: 0, item: reasoningItem(turn, '') };
        yield { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } };
      }
      const delta = `${update.text}\n`;
      progress += delta;
      yield { type: 'response.reasoning_summary_text.delta', ...place, delta };
    }
    if (update.type !== 'finished') continue;
    if (progress !== '') {
      yield { type: 'response.reasoning_summary_text.done', ...place, text: progress };
      const part = { type: 'summary_text', text: progress } as const;
      yield { type: 'response.reasoning_summary_part.done', ...place, part };
      yield { type: 'response.output_item.done', output_index: 0, item: reasoningItem(turn, progress) };
    }
    yield* messageEvents(update.turn, progress === '' ? 0 : 1);
    const finished = finishedResponse({ turn: update.turn, progress, usage: usage.of(update.turn) }, echo);
    // Clients know three ends: a cancelled response comes as one that is not complete.
    if (finished.status === 'failed') yield { type: 'response.failed', response: finished };
    else if (finished.status === 'completed') yield { type: 'response.completed', response: finished };
    else yield { type: 'response.incomplete', response: finished };
  }
}

/**
 * A turn as the events of a response, numbered from 0; the same again whenever the turn is followed. What breaks it off is
 * its last event, by `problemOf`: the turn itself goes on.
 */
export async function* responseEvents(
  turn: TurnView,
  updates: AsyncIterable<ConversationUpdate>,
  echo: Echo,
  problemOf: (error: unknown) => Problem,
): AsyncGenerator<NumberedEvent> {
  let sequence_number = 0;
  try {
    for await (const event of unnumbered(turn, updates, echo)) yield { ...event, sequence_number: sequence_number++ };
  } catch (error) {
    const { code, message, param } = errorBody(problemOf(error)).error;
    yield { type: 'error', code, message, param, sequence_number };
  }
}
