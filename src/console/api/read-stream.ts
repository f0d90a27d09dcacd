import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { createPace } from '../history/slices.ts';
import { type RequestOptions, send } from './request.ts';

/** Longest silence of a stream that is alive, in milliseconds: the service sends a comment every 15 s. */
const SILENCE_MS_MAX = 40_000;

interface StreamOptions<Message> {
  query?: RequestOptions['query'];
  signal: AbortSignal;
  /** The service has answered. */
  onOpen?: () => void;
  /** Messages that arrived together, in order. */
  onMessages: (messages: Message[]) => void;
}

/** A message in the form that contracts/stream.ts gives it; one without an id has none. */
const parsed = <Message>({ event, id, data }: EventSourceMessage): Message =>
  ({ event, ...(id !== undefined && { id: Number(id) }), data: JSON.parse(data) }) as Message;

/** Reads server-sent events until the stream ends. Throws `ApiProblem` where it is refused, and when it fails, is silent for too long or `signal` aborts. */
export const readStream = async <Message>(path: string, options: StreamOptions<Message>): Promise<void> => {
  const { query = {}, signal, onOpen, onMessages } = options;
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MS_MAX);
  };
  alive();
  try {
    const response = await send(path, {
      query,
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silent.signal]),
    });
    onOpen?.();
    let arrived: Message[] = [];
    const parser = createParser({ onEvent: (message) => arrived.push(parsed(message)) });
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    const pace = createPace();
    for (;;) {
      await pace();
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return;
      alive();
      arrived = [];
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      if (arrived.length > 0) onMessages(arrived);
    }
  } finally {
    clearTimeout(timer);
  }
};
