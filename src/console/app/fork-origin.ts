import type { ReadonlySignal } from '@preact/signals';
import { type Loaded, useResource } from '../api/resource.ts';
import { firstEntry } from '../api/service-routes.ts';

/** Where a session was forked from. */
export interface ForkOrigin {
  session: string;
  task: string;
  /** The entry of the original that it goes on from. */
  seq: number;
}

/** Asks where a session was forked from; null: it is no fork. Throws `ApiProblem`. */
export const forkOriginOf = async (session: string, signal: AbortSignal): Promise<ForkOrigin | null> => {
  const event = (await firstEntry(session, signal))?.event;
  if (event?.type !== 'session.forked') return null;
  return { session: event.from_session_id, task: event.from_task_id, seq: event.at_seq };
};

/** Loads where a session was forked from; null: it is no fork. */
export const useForkOrigin = (session: string): ReadonlySignal<Loaded<ForkOrigin | null>> =>
  useResource((signal) => forkOriginOf(session, signal), [session]).loaded;
