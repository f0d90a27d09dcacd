import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../backoff.ts';
import type { CallbackOutcome } from '../telemetry/port.ts';
import type { PendingCallback, SessionStore } from './store.ts';

/** The pauses before each further post of a turn that was not accepted: 1 s, 10 s and 60 s. */
const POST_BACKOFF: Backoff = { firstMs: 1_000, factor: 10, maxMs: 60_000 };

/** Posts of one turn before it is given up. */
const POSTS_MAX = 4;

/** Callbacks posted at once: more would take the connections and the memory that turns need. */
const IN_FLIGHT_MAX = 16;

/** How long one receiver may take, in milliseconds: a slow one occupies one of the `IN_FLIGHT_MAX` slots. */
const POST_TIMEOUT_MS = 10_000;

/** Longest that one timer may run, in milliseconds: Node fires at once above 2^31 - 1, and a clock may jump meanwhile. */
const TIMER_MAX_MS = 60_000;

/** The HTTP status (Gone) with which a receiver unsubscribes. */
const HTTP_GONE = 410;

/** Posts finished turns to their `callback_url`: at least once, also after a restart. */
export interface Callbacks {
  /** A turn with a callback is finished, or the service has just started. */
  poll(): void;
  stop(): void;
}

interface Parts {
  store: Pick<SessionStore, 'dueCallbacks' | 'nextCallbackAt' | 'settleCallback'>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Resolves once a stored reply may go out. */
  deferred(turnId: string): Promise<unknown> | undefined;
  /** Headers by which a receiver knows that a post is from here. */
  sign(id: string, at: number, body: string): Record<string, string>;
  now(): number;
  /** A callback was delivered or given up. */
  onEnded(owner: string, outcome: CallbackOutcome): void;
  log: Logger;
}

/** Makes the poster; delivery is at least once, so receivers deduplicate by the turn's id. */
export const createCallbacks = ({ store, fetch, deferred, sign, onEnded, now, log }: Parts): Callbacks => {
  const stopping = new AbortController();
  const inFlight = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;
  let isWanted = false;

  const post = async ({ url, turn }: PendingCallback): Promise<'delivered' | 'refused' | 'gone'> => {
    await deferred(turn.id);
    const body = JSON.stringify(turn);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': turn.id, ...sign(turn.id, now(), body) },
        body,
        redirect: 'error',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(POST_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      if (!response.ok) log.warn({ turn_id: turn.id, status: response.status }, 'a callback was not accepted');
      if (response.status === HTTP_GONE) return 'gone';
      return response.ok ? 'delivered' : 'refused';
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error, turn_id: turn.id }, 'a callback could not be reached');
      return 'refused';
    }
  };

  const deliver = async (pending: PendingCallback): Promise<void> => {
    const outcome = await post(pending);
    if (stopping.signal.aborted) return;
    const attempts = pending.attempts + 1;
    const isTriedAgain = outcome === 'refused' && attempts < POSTS_MAX;
    const retryAt = isTriedAgain ? now() + backoffMs(POST_BACKOFF, attempts) : null;
    const isDelivered = outcome === 'delivered';
    await store.settleCallback(pending.turn.id, { isDelivered, attempts, retryAt, now: now() });
    if (retryAt === null) onEnded(pending.owner, isDelivered ? 'delivered' : 'given_up');
  };

  const fill = async (): Promise<void> => {
    const free = IN_FLIGHT_MAX - inFlight.size;
    // Callbacks in flight are still due until they are settled, so the query returns them too and they are skipped.
    const due = free === 0 ? [] : await store.dueCallbacks(now(), IN_FLIGHT_MAX);
    for (const pending of due.filter(({ turn }) => !inFlight.has(turn.id)).slice(0, free)) {
      inFlight.add(pending.turn.id);
      deliver(pending)
        .catch((error: unknown) => log.error({ err: error, turn_id: pending.turn.id }, 'a callback failed'))
        .finally(() => {
          inFlight.delete(pending.turn.id);
          poll();
        });
    }
    const next = inFlight.size > 0 ? null : await store.nextCallbackAt();
    if (next === null || stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(poll, Math.min(Math.max(next - now(), 0), TIMER_MAX_MS));
    timer.unref();
  };

  const poll = (): void => {
    isWanted = true;
    if (isPolling || stopping.signal.aborted) return;
    isPolling = true;
    const run = async (): Promise<void> => {
      while (isWanted && !stopping.signal.aborted) {
        isWanted = false;
        await fill();
      }
    };
    run()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, 'callbacks can not be read');
      })
      .finally(() => {
        isPolling = false;
      });
  };

  return {
    poll,
    stop: () => {
      clearTimeout(timer);
      stopping.abort(new Error('the service is stopping'));
    },
  };
};
