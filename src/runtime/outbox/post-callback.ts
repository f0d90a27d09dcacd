import type { Logger } from 'pino';
import { iso } from '../../lib/iso-time.ts';
import type { PendingCallback } from '../../session/outbox-message.ts';
import type { WebhookKeys } from './webhook-keys.ts';

/** Longest time of one receiver, in milliseconds: a slow one occupies one of the concurrent posts. */
const POST_TIMEOUT_MS = 10_000;

const ERROR_CHARS_MAX = 200;

/** A receiver unsubscribes with this HTTP status (Gone). */
const HTTP_GONE = 410;

/** The outcome of one post. `gone`: the receiver wants no more of it. */
export type PostResult =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused' | 'gone' | 'unreachable'; readonly error: string };

interface Parts {
  fetch(url: string, init: RequestInit): Promise<Response>;
  webhookKeys: WebhookKeys;
  now(): number;
  stopping: AbortSignal;
  log: Logger;
}

/**
 * The body of a callback, the same in every post: a turn for its `callback_url`, an event with its owner for the
 * webhook.
 */
const callbackBody = ({ event, owner, url, data, created_at }: PendingCallback): string =>
  JSON.stringify(url === null ? { type: event, timestamp: iso(created_at), owner, data } : data);

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses gives one failure for each, and no message of its own.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  const { cause } = error;
  const text = cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
  return text.slice(0, ERROR_CHARS_MAX);
};

/**
 * The headers of Standard Webhooks, which let a receiver verify the sender: a signature by each key, with the time
 * `at` in epoch milliseconds. Without a key there is no signature, and the signing library is not loaded.
 */
const webhookHeaders = async (keys: readonly Buffer[], id: string, at: number, body: string) => {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at / 1_000)) };
  if (keys.length === 0) return headers;
  const { Webhook } = await import('standardwebhooks');
  const signatures = keys.map((key) => new Webhook(key, { format: 'raw' }).sign(id, new Date(at), body));
  return { ...headers, 'webhook-signature': signatures.join(' ') };
};

/** Posts a callback once. Follows no redirect, and never rejects. */
export const createPostCallback =
  ({ fetch, webhookKeys, now, stopping, log }: Parts) =>
  async (url: string, callback: PendingCallback): Promise<PostResult> => {
    const { id } = callback;
    const body = callbackBody(callback);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          ...(await webhookHeaders(webhookKeys(url), id, now(), body)),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.any([stopping, AbortSignal.timeout(POST_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      if (response.ok) return { outcome: 'accepted' };
      log.warn({ callback_id: id, status: response.status }, 'a callback was not accepted');
      return { outcome: response.status === HTTP_GONE ? 'gone' : 'refused', error: `HTTP ${response.status}` };
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error, callback_id: id }, 'a callback could not be delivered');
      return { outcome: 'unreachable', error: reasonOf(error) };
    }
  };
