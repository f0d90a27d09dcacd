import type { CallbackType, CallbackView } from '../../contracts/callback.ts';
import type { TurnView } from '../../contracts/turn-view.ts';

/** The reader of the service's webhook. No owner has this name. */
export const WEBHOOK_READER = '';

/** A callback that a decision adds. Either `turn_id` or `data` determines its content. */
export interface OutboxMessage {
  /**
   * The message's id for its receiver, the same in every post. It is derived from its subject, so that no decision
   * creates two.
   */
  readonly id: string;
  readonly event: CallbackType;
  /** A turn's `callback_url`; null: the service's webhook. */
  readonly url: string | null;
  /** The finished turn that it shows, in its state when it is posted. */
  readonly turn_id: string | null;
  readonly data: unknown;
}

/** The reader whose list a message belongs to: its owner, or `WEBHOOK_READER`. */
export const readerOf = ({ url }: Pick<OutboxMessage, 'url'>, owner: string): string =>
  url === null ? WEBHOOK_READER : owner;

export interface CallbackKey {
  readonly id: string;
  readonly reader: string;
  readonly owner: string;
}

export interface PendingCallback extends CallbackKey {
  readonly event: CallbackType;
  readonly url: string | null;
  /** The body; null: its subject is gone, or cannot be read. */
  readonly data: TurnView | object | null;
  readonly turn_id: string | null;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Posts that were not accepted so far. */
  readonly attempts: number;
}

/** The outcome of a post: it is retried, or finished. `dropped`: its subject is gone, and so is it. */
export type CallbackResult =
  | { readonly state: 'pending'; readonly retryAt: number; readonly error: string }
  | { readonly state: 'delivered' }
  | { readonly state: 'given_up'; readonly error: string }
  | { readonly state: 'dropped' };

export interface CallbackLane {
  readonly reader: string;
  /** When the first of them is due, in epoch milliseconds. */
  readonly due_at: number;
}

export type ListedCallback = CallbackView & { readonly reader: string };

export const callbackView = ({ reader: _, ...view }: ListedCallback): CallbackView => view;
