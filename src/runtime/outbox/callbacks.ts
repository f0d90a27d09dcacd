import type { Logger } from 'pino';
import { type Backoff, backoffMs } from '../../lib/backoff.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import type { Decision } from '../../session/change.ts';
import {
  type CallbackLane,
  type CallbackResult,
  type PendingCallback,
  readerOf,
} from '../../session/outbox-message.ts';
import type { Store } from '../../store/port.ts';
import type { Telemetry } from '../../telemetry/port.ts';
import { DueLanes, type Home } from './due-lanes.ts';
import { createPostCallback, type PostResult } from './post-callback.ts';
import type { WebhookKeys } from './webhook-keys.ts';

/**
 * The pauses before each further post: 1 s, 5 s, 25 s and so on, 4 hours before the eighth. Jitter takes up to half
 * off.
 */
const POST_BACKOFF = { firstMs: 1_000, factor: 5, maxMs: 6 * 60 * 60 * 1_000 } satisfies Backoff;

/** Longest run of one timer, in milliseconds: Node fires at once above 2^31 - 1, and the clock may jump meanwhile. */
const TIMER_MAX_MS = 60_000;

const STORE_RETRY_MS = 5_000;

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

/**
 * Posts the outbox: each message at least once, also after a restart. Each reader has its own lane, so a hanging one
 * delays no other.
 */
export class CallbackPosts {
  readonly #parts: Parts;
  readonly #lanes: DueLanes;
  readonly #stopping = new AbortController();
  readonly #post: ReturnType<typeof createPostCallback>;
  readonly #isWorthALine = onceAMinute();
  #timer: NodeJS.Timeout | undefined;
  #polling = Promise.resolve();
  /** A check for due callbacks is scheduled, which covers all requests until then. */
  #isWanted = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lanes = new DueLanes(parts.ownersHere);
    this.#post = createPostCallback({ ...parts, stopping: this.#stopping.signal });
  }

  /** Takes over what the last process left, before anything is committed. Posts nothing before `poll`. */
  load(left: readonly CallbackLane[]): void {
    this.#lanes.load(left, this.#parts.now());
  }

  /** Posts the callbacks that a decision added. */
  postCallbacks({ changes, image, at }: Decision): void {
    for (const change of changes) {
      if (change.type !== 'outbox.added') continue;
      this.#lanes.add(readerOf(change.message, image.session.owner), at);
      this.poll();
    }
  }

  /** A callback of the reader may be due now. */
  resent(reader: string): void {
    this.#lanes.add(reader, this.#parts.now());
    this.poll();
  }

  /** Posts due callbacks, after the current check. */
  poll(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#polling = this.#polling
      .then(() => {
        this.#isWanted = false;
        return this.#postDue();
      })
      .then(() => this.#startTimer());
  }

  /** True while a callback of the reader waits to be posted, as far as this process knows. */
  isPending(reader: string): boolean {
    return this.#lanes.isPending(reader);
  }

  /** Another process posts the reader's callbacks from now on. */
  drop(reader: string): void {
    this.#lanes.drop(reader);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopping.abort(new Error('the service is stopping'));
  }

  async #postDue(): Promise<void> {
    const serve = (lane: string): Promise<void> =>
      this.#startNextOf(lane).catch((error: unknown) => this.#retryLater(lane, error));
    while (!this.#stopping.signal.aborted) if (!(await this.#lanes.serveNext(this.#parts.now(), serve))) return;
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const next = this.#lanes.nextAt();
    if (next === Number.POSITIVE_INFINITY || this.#stopping.signal.aborted) return;
    const ms = Math.min(Math.max(next - this.#parts.now(), 0), TIMER_MAX_MS);
    this.#timer = setTimeout(() => this.poll(), ms).unref();
  }

  /** Starts one post of the lane. Callbacks in flight stay due until they are settled. */
  async #startNextOf(lane: string): Promise<void> {
    const { store, now } = this.#parts;
    const at = now();
    const next = await store.nextCallback(lane, at, this.#lanes.openIds());
    this.#lanes.readAgain(lane, at);
    if (next === null) return;
    if (typeof next === 'number') return this.#lanes.add(lane, next);
    this.#lanes.add(lane, at);
    this.#startPost(next);
  }

  #startPost(callback: PendingCallback): void {
    this.#lanes.opened(callback.id, callback.reader);
    this.#settle(callback)
      .catch((error: unknown) => this.#retryLater(callback.reader, error))
      .finally(() => {
        this.#lanes.closed(callback.id);
        this.poll();
      });
  }

  async #settle(callback: PendingCallback): Promise<void> {
    const { store, now, happened } = this.#parts;
    const result = await this.#deliver(callback);
    if (this.#stopping.signal.aborted) return;
    const wasPending = await store.settleCallback(callback, result, now());
    if (result.state === 'pending') this.#lanes.add(callback.reader, result.retryAt);
    else if (wasPending && result.state !== 'dropped') happened({ type: 'callback_ended', outcome: result.state });
  }

  async #deliver(callback: PendingCallback): Promise<CallbackResult> {
    const { webhookUrl, happened } = this.#parts;
    if (callback.data === null) return { state: 'dropped' };
    const url = callback.url ?? webhookUrl;
    if (url === null) return { state: 'given_up', error: 'TRIPACT_WEBHOOK_URL is not set' };
    const posted = await this.#post(url, callback);
    if (!this.#stopping.signal.aborted)
      happened({ type: 'callback_posted', outcome: posted.outcome === 'gone' ? 'refused' : posted.outcome });
    return this.#resultOf(posted, callback.attempts + 1);
  }

  #resultOf(posted: PostResult, attempts: number): CallbackResult {
    const { postsMax, now } = this.#parts;
    if (posted.outcome === 'accepted') return { state: 'delivered' };
    const { error } = posted;
    if (posted.outcome === 'gone' || attempts >= postsMax) return { state: 'given_up', error };
    return { state: 'pending', retryAt: now() + backoffMs(POST_BACKOFF, attempts, Math.random), error };
  }

  /** The store is at fault: the lane is read again later. */
  #retryLater(lane: string, error: unknown): void {
    const { now, log } = this.#parts;
    if (this.#stopping.signal.aborted || !this.#lanes.isHome(lane)) return;
    if (this.#isWorthALine()) log.error({ err: error }, 'callbacks cannot be read or written; trying again');
    this.#lanes.add(lane, now() + STORE_RETRY_MS);
  }
}
