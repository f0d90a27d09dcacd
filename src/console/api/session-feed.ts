import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import type { SessionView } from '../../../contracts/http.ts';
import type { SessionMessage, TurnMessage } from '../../../contracts/stream.ts';
import { ApiProblem, path, type RequestOptions, send } from './request.ts';
import { getSession } from './routes.ts';

/** The session whose conversation is on the page, as last loaded; null: none. */
export const openSession = signal<SessionView | null>(null);

/** Longest silence of a live stream, in milliseconds: the service sends a comment every 15 s. */
const SILENCE_MS_MAX = 40_000;

interface StreamOptions<Message> {
  query?: RequestOptions['query'];
  signal: AbortSignal;
  /** The service has answered. */
  onOpen?: () => void;
  onMessage: (message: Message) => void;
}

/** A message in the form of contracts/stream.ts. A message without an id has none there either. */
const parsed = <Message>({ event, id, data }: EventSourceMessage): Message =>
  ({ event, ...(id !== undefined && { id: Number(id) }), data: JSON.parse(data) }) as Message;

/**
 * Reads server-sent events until the stream ends. Throws `ApiProblem` if it is refused, and when it fails, is silent
 * for too long or `signal` aborts.
 */
export const readStream = async <Message extends SessionMessage | TurnMessage>(
  address: string,
  { query = {}, signal, onOpen, onMessage }: StreamOptions<Message>,
): Promise<void> => {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MS_MAX);
  };
  alive();
  try {
    const response = await send(address, {
      query,
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silent.signal]),
    });
    onOpen?.();
    const messages = response.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: alive }))
      .getReader();
    for (;;) {
      const next = await messages?.read();
      if (next === undefined || next.done) return;
      alive();
      onMessage(parsed(next.value));
    }
  } finally {
    clearTimeout(timer);
  }
};

/** The state of a stream. `gone`: it does not come back, for example because its session was removed. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'gone';

/**
 * Receives the messages of a session, simultaneous ones together. After an interruption it gets those of the last entry
 * again.
 */
export type Listener = (messages: readonly SessionMessage[]) => void;

/**
 * The events of a session from now on, shared by everything that shows them: a browser has few connections to spare.
 */
export interface SessionFeed {
  /** Also `gone` if the session does not exist yet. */
  readonly state: ReadonlySignal<StreamState>;
  /**
   * Passes every later message to the listener until the returned function is called. To miss nothing, listen first and
   * then load the current state.
   */
  listen(listener: Listener): () => void;
  /** The session may exist by now: if it was gone, follows it from its beginning. */
  revive(): void;
}

/** How long messages are collected, in milliseconds, so that a burst causes one render. */
const GATHER_MS = 16;

/** Wait before a lost stream is reopened, in milliseconds: a restart takes less than a second. */
const RETRY_MS = 500;

const openFeed = (session: string, closed: AbortSignal): SessionFeed => {
  const listeners = new Set<Listener>();
  const state = signal<StreamState>('connecting');
  let arrived: SessionMessage[] = [];
  const hand = (): void => {
    const messages = arrived;
    arrived = [];
    batch(() => {
      for (const listener of listeners) listener(messages);
    });
  };
  /** Reads everything after an entry, reopening the stream until it is closed or the session is gone. */
  const follow = async (begin: number | null): Promise<void> => {
    let after = begin;
    const take = (message: SessionMessage): void => {
      if (arrived.push(message) === 1) setTimeout(hand, GATHER_MS);
      // An entry has several messages, and the stream may break between them.
      if ('id' in message) after = message.id - 1;
    };
    while (!closed.aborted) {
      try {
        after ??= (await getSession(session)).last_seq;
        await readStream<SessionMessage>(path`/v1/sessions/${session}/events`, {
          query: { after },
          signal: closed,
          onOpen: () => {
            state.value = 'live';
          },
          onMessage: take,
        });
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 404) {
          state.value = 'gone';
          return;
        }
      }
      if (closed.aborted) return;
      state.value = 'lost';
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  void follow(null);
  return {
    state,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    revive: () => {
      if (state.peek() !== 'gone') return;
      state.value = 'connecting';
      void follow(0);
    },
  };
};

const current = signal<{ session: string; feed: SessionFeed; closed: AbortController } | null>(null);

/** Closes the open feed, for example when no session is on the page any more. */
export const closeFeed = (): void => {
  current.peek()?.closed.abort();
  current.value = null;
};

/** Returns a session's feed, and closes another session's: a page shows one session. */
export const feedOf = (session: string): SessionFeed => {
  const open = current.peek();
  if (open?.session === session) return open.feed;
  closeFeed();
  const closed = new AbortController();
  const feed = openFeed(session, closed.signal);
  current.value = { session, feed, closed };
  return feed;
};
