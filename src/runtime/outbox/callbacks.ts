import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../../lib/backoff.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import type { Decision } from '../../session/change.ts';
import {
  type CallbackLane,
  type CallbackResult,
  type PendingCallback,
  readerOf,
  WEBHOOK_READER,
} from '../../session/outbox-message.ts';
import type { Store } from '../../store/port.ts';
import type { Telemetry } from '../../telemetry/port.ts';
import { createPostCallback, type PostResult } from './post-callback.ts';
import type { WebhookKeys } from './webhook-keys.ts';

/**
 * The pauses before each further post: 1 s, 5 s, 25 s and so on, 4 hours before the eighth. Jitter takes up to half
 * off.
 */
const POST_BACKOFF = { firstMs: 1_000, factor: 5, maxMs: 6 * 60 * 60 * 1_000 } satisfies Backoff;

/** Longest run of one timer, in milliseconds: Node fires at once above 2^31 - 1, and the clock may jump meanwhile. */
const TIMER_MAX_MS = 60_000;

/** Most concurrent posts for one reader, so that others get their share. */
const POSTS_MAX = 16;

/** Most concurrent posts in all, until their receivers answer or they time out. */
const OPEN_MAX = 128;

/** How often other processes' callbacks for the webhook are polled, in milliseconds. */
const WEBHOOK_LOOK_MS = 1_000;

const STORE_RETRY_MS = 5_000;

/** The readers whose callbacks this process posts. */
interface Home {
  isHome(reader: string): boolean;
  /** There is no other process. */
  isHomeOfAll(): boolean;
}

interface Parts {
  store: Pick<Store, 'nextCallback' | 'settleCallback'>;
  ownersHere: Home;
  fetch(url: string, init: RequestInit): Promise<Response>;
  webhookUrl: string | null;
  postsMax: number;
  webhookKeys: WebhookKeys;
  now(): number;
  happened: Telemetry['happened'];
  log: Logger;
}

export type CallbackPosts = ReturnType<typeof createCallbacks>;

/**
 * Posts the outbox: each message at least once, also after a restart. Each reader has its own lane, so a hanging one
 * delays no other.
 */
export const createCallbacks = (parts: Parts) => {
  const { store, ownersHere, webhookUrl, now, log } = parts;
  const stopping = new AbortController();
  const post = createPostCallback({ ...parts, stopping: stopping.signal });
  /** When something of a lane is due, in epoch milliseconds. The lane served last comes last. */
  const lanes = new Map<string, number>();
  /** The lane whose next callback is read. */
  let served: string | null = null;
  const open = new Map<string, string>();
  const isWorthALine = onceAMinute();
  let timer: NodeJS.Timeout | undefined;
  let polling = Promise.resolve();
  /** A check for due callbacks is scheduled, which covers all requests until then. */
  let isWanted = false;

  const wantAt = (lane: string, at: number): void => {
    if (ownersHere.isHome(lane)) lanes.set(lane, Math.min(lanes.get(lane) ?? at, at));
  };

  const mayPost = (lane: string): boolean =>
    open.size < OPEN_MAX && [...open.values()].filter((reader) => reader === lane).length < POSTS_MAX;

  const resultOf = (posted: PostResult, attempts: number): CallbackResult => {
    if (posted.outcome === 'accepted') return { state: 'delivered' };
    const { error } = posted;
    if (posted.outcome === 'gone' || attempts >= parts.postsMax) return { state: 'given_up', error };
    return { state: 'pending', retryAt: now() + backoffMs(POST_BACKOFF, attempts, Math.random), error };
  };

  const deliver = async (callback: PendingCallback): Promise<CallbackResult> => {
    if (callback.data === null) return { state: 'dropped' };
    const url = callback.url ?? webhookUrl;
    if (url === null) return { state: 'given_up', error: 'TRIPACT_WEBHOOK_URL is not set' };
    const posted = await post(url, callback);
    if (!stopping.signal.aborted)
      parts.happened({ type: 'callback_posted', outcome: posted.outcome === 'gone' ? 'refused' : posted.outcome });
    return resultOf(posted, callback.attempts + 1);
  };

  const settle = async (callback: PendingCallback): Promise<void> => {
    const result = await deliver(callback);
    if (stopping.signal.aborted) return;
    const wasPending = await store.settleCallback(callback, result, now());
    if (result.state === 'pending') wantAt(callback.reader, result.retryAt);
    else if (wasPending && result.state !== 'dropped')
      parts.happened({ type: 'callback_ended', outcome: result.state });
  };

  /** The store is at fault: the lane is retried later. */
  const faulted = (lane: string, error: unknown): void => {
    if (stopping.signal.aborted || !ownersHere.isHome(lane)) return;
    if (isWorthALine()) log.error({ err: error }, 'callbacks cannot be read or written; trying again');
    wantAt(lane, now() + STORE_RETRY_MS);
  };

  const startPost = (callback: PendingCallback): void => {
    open.set(callback.id, callback.reader);
    settle(callback)
      .catch((error: unknown) => faulted(callback.reader, error))
      .finally(() => {
        open.delete(callback.id);
        poll();
      });
  };

  /** Starts one post of the lane. Callbacks in flight stay due until they are settled. */
  const startNextOf = async (lane: string): Promise<void> => {
    const at = now();
    const next = await store.nextCallback(lane, at, [...open.keys()]);
    if (lane === WEBHOOK_READER && !ownersHere.isHomeOfAll()) wantAt(lane, at + WEBHOOK_LOOK_MS);
    if (next === null) return;
    if (typeof next === 'number') return wantAt(lane, next);
    wantAt(lane, at);
    startPost(next);
  };

  const fill = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const lane = [...lanes].find(([each, at]) => at <= now() && mayPost(each))?.[0];
      if (lane === undefined) return;
      lanes.delete(lane);
      served = lane;
      await startNextOf(lane).catch((error: unknown) => faulted(lane, error));
      served = null;
    }
  };

  const startTimer = (): void => {
    clearTimeout(timer);
    let next = Number.POSITIVE_INFINITY;
    for (const [lane, at] of lanes) if (at < next && mayPost(lane)) next = at;
    if (next === Number.POSITIVE_INFINITY || stopping.signal.aborted) return;
    timer = setTimeout(poll, Math.min(Math.max(next - now(), 0), TIMER_MAX_MS)).unref();
  };

  /** Posts due callbacks, after the current check. */
  const poll = (): void => {
    if (isWanted) return;
    isWanted = true;
    polling = polling
      .then(() => {
        isWanted = false;
        return fill();
      })
      .then(startTimer);
  };

  return {
    /** Takes over what the last process left, before anything is committed. Posts nothing before `poll`. */
    load: (left: readonly CallbackLane[]): void => {
      for (const { reader, due_at } of left) wantAt(reader, due_at);
      if (!ownersHere.isHomeOfAll()) wantAt(WEBHOOK_READER, now());
    },
    postCallbacks: ({ changes, image, at }: Decision): void => {
      for (const change of changes) {
        if (change.type !== 'outbox.added') continue;
        const reader = readerOf(change.message, image.session.owner);
        wantAt(reader, at);
        poll();
      }
    },
    /** A callback of the reader may be due now. */
    resent: (reader: string): void => {
      wantAt(reader, now());
      poll();
    },
    poll,
    /** True while a callback of the reader is to be posted, as far as is known here. */
    isPending: (reader: string): boolean =>
      lanes.has(reader) || served === reader || [...open.values()].includes(reader),
    /** Another process posts the reader's callbacks from now on. */
    drop: (reader: string): void => void lanes.delete(reader),
    stop: (): void => {
      clearTimeout(timer);
      stopping.abort(new Error('the service is stopping'));
    },
  };
};
