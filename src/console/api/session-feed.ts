import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { SessionMessage } from '../../../contracts/stream.ts';
import { followSession, type StreamState } from './event-stream.ts';
import { getSession } from './routes.ts';

/** Is told the messages of a session as they arrive. */
export type Listener = (messages: readonly SessionMessage[]) => void;

/** The events of a session from now on, shared by all that show something of it: a browser has few connections to spare. */
export interface SessionFeed {
  readonly state: ReadonlySignal<StreamState>;
  /** Tells the listener every message that arrives from now on, until the returned function is called. To miss nothing, listen first and then load what is there. */
  listen(listener: Listener): () => void;
}

interface OpenFeed extends SessionFeed {
  users: number;
  close(): void;
}

const open = new Map<string, OpenFeed>();

const openFeed = (session: string): OpenFeed => {
  const listeners = new Set<Listener>();
  const state = signal<StreamState>('connecting');
  const closed = new AbortController();
  const follow = async (): Promise<void> => {
    const { last_seq } = await getSession(session, closed.signal);
    await followSession(
      session,
      last_seq,
      {
        onMessages: (messages) =>
          batch(() => {
            for (const listener of listeners) listener(messages);
          }),
        onState: (next) => {
          state.value = next;
        },
      },
      closed.signal,
    );
  };
  follow().catch(() => {
    if (!closed.signal.aborted) state.value = 'gone';
  });
  return {
    users: 0,
    state,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => closed.abort(),
  };
};

/** Gives a session's feed, opened for the first who asks; the returned function gives it back, and the last one closes it. */
export const takeFeed = (session: string): { feed: SessionFeed; release: () => void } => {
  const feed = open.get(session) ?? openFeed(session);
  open.set(session, feed);
  feed.users += 1;
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    feed.users -= 1;
    if (feed.users > 0) return;
    feed.close();
    open.delete(session);
  };
  return { feed, release };
};
