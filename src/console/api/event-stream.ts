import type { SessionMessage } from '../../../contracts/stream.ts';
import { ApiProblem } from './api-problem.ts';
import { readStream } from './read-stream.ts';
import { type StreamPosition, takeNew } from './stream-position.ts';

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
