import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { SessionMessage } from '../../../contracts/stream.ts';
import { createPace } from '../history/slices.ts';
import { ApiProblem, type RequestOptions, send } from './request.ts';
import { type StreamPosition, takeNew } from './stream-position.ts';

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

/** Waits before a lost stream is opened again, in milliseconds: the first are short, for a restart takes less than a second. */
const RETRY_MS = [200, 500, 1_000, 2_000, 4_000];

/** How it stands with a stream. `gone`: it does not come back, as where its session was removed. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'gone';

/** Who follows a session. */
export interface Follower {
  /** Messages that arrived together, in order, each once. */
  onMessages(messages: SessionMessage[]): void;
  onState(state: StreamState): void;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Reads one stream until it ends, fails or is silent for too long. */
const readOnce = async (
  session: string,
  position: StreamPosition,
  { onMessages, onState }: Follower,
  signal: AbortSignal,
): Promise<void> => {
  const seen: StreamPosition = { id: 0, count: 0 };
  await readStream<SessionMessage>(`/v1/sessions/${encodeURIComponent(session)}/events`, {
    query: { after: Math.max(0, position.id - 1) },
    signal,
    onOpen: () => onState('live'),
    onMessages: (arrived) => {
      const fresh = takeNew(arrived, position, seen);
      if (fresh.length > 0) onMessages(fresh);
    },
  });
};

/**
 * Follows a session's events behind `after`, until `signal` aborts: without gap or repeat, also over restarts of the service. A session that is not there
 * yet, or not any more, is `gone`.
 */
export const followSession = async (
  session: string,
  after: number,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> => {
  const position: StreamPosition = { id: after, count: Number.POSITIVE_INFINITY };
  for (let lost = 0; !signal.aborted; ) {
    const before = position.id;
    try {
      await readOnce(session, position, follower, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiProblem && error.status === 404) return follower.onState('gone');
    }
    if (signal.aborted) return;
    follower.onState('lost');
    lost = position.id > before ? 0 : lost + 1;
    await pause(RETRY_MS[Math.min(lost, RETRY_MS.length - 1)] ?? 0, signal);
  }
};
