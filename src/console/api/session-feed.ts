import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { SessionView } from '../../../contracts/http.ts';
import type { SessionMessage } from '../../../contracts/stream.ts';
import { followSession, type StreamState } from './event-stream.ts';
import { ApiProblem } from './request.ts';
import { getSession } from './routes.ts';

/** The session whose conversation is on the page, as it was last loaded; null: none is. */
export const openSession = signal<SessionView | null>(null);

/** Receives the messages of a session, those of one frame together. */
export type Listener = (messages: readonly SessionMessage[]) => void;

/** The events of a session from now on, shared by all that show something of it: a browser has few connections to spare. */
export interface SessionFeed {
  /** `gone` also where the session has not begun. */
  readonly state: ReadonlySignal<StreamState>;
  /** Tells the listener every message that arrives from now on, until the returned function is called. To miss nothing, listen first and then load what is there. */
  listen(listener: Listener): () => void;
  /** The session may have begun by now: where it was gone, it is followed from its beginning. */
  revive(): void;
}

interface OpenFeed extends SessionFeed {
  users: number;
  close(): void;
}

const open = new Map<string, OpenFeed>();

/** Longest that messages wait where the page draws no frames, as while it is not seen, in milliseconds. */
const UNSEEN_MS = 250;

/** Calls back before the next frame is drawn: once for all that a quick stream brings until then. The returned function gives up. */
const onNextFrame = (call: () => void): (() => void) => {
  const stop = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = (): void => {
    stop();
    call();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, UNSEEN_MS);
  return stop;
};

/** Where a session has come to. Null: there is none of this name. */
const lastSeqOf = async (session: string): Promise<number | null> => {
  try {
    return (await getSession(session)).last_seq;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
};

/** Waits before the session is asked for again, in milliseconds. */
const RETRY_MS = 2_000;

const openFeed = (session: string): OpenFeed => {
  const listeners = new Set<Listener>();
  const state = signal<StreamState>('connecting');
  const closed = new AbortController();
  let arrived: SessionMessage[] = [];
  let stopWaiting: (() => void) | undefined;
  const hand = (): void => {
    const messages = arrived;
    arrived = [];
    stopWaiting = undefined;
    batch(() => {
      for (const listener of listeners) listener(messages);
    });
  };
  const follower = {
    onMessages: (messages: SessionMessage[]) => {
      arrived.push(...messages);
      stopWaiting ??= onNextFrame(hand);
    },
    onState: (next: StreamState) => {
      state.value = next;
    },
  };
  const follow = async (known: number | null): Promise<void> => {
    try {
      const after = known ?? (await lastSeqOf(session));
      if (after === null) state.value = 'gone';
      else await followSession(session, after, follower, closed.signal);
    } catch {
      if (closed.signal.aborted) return;
      state.value = 'lost';
      setTimeout(() => void follow(known), RETRY_MS);
    }
  };
  void follow(null);
  return {
    users: 0,
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
    close: () => {
      closed.abort();
      stopWaiting?.();
    },
  };
};

/** Gives a session's feed, opened for the first who asks; `release` gives it back, and the last one closes it. */
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
