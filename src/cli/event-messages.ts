import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ConnectionLost } from './connection-lost.ts';

/** Longest message read, in characters: above the longest trace entry that the contracts allow. */
const MESSAGE_CHARS_MAX = 32 * 1024 * 1024;

/** The messages of a reply that is an event stream, as they come. Throws `ConnectionLost` when it breaks off. */
export async function* eventMessages(response: Response): AsyncGenerator<EventSourceMessage, void, undefined> {
  if (response.body === null) return;
  const messages = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MESSAGE_CHARS_MAX }));
  try {
    yield* messages;
  } catch {
    throw new ConnectionLost('The connection to the service broke off');
  }
}
