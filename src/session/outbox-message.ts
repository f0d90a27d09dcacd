import type { CallbackType, CallbackView } from '../../contracts/callback.ts';
import type { TurnView } from '../../contracts/turn-view.ts';

/** The reader of what goes to the webhook of the service: no owner has this name. */
export const WEBHOOK_READER = '';

/** An event for a program outside, as a decision adds it. Either `turn_id` or `data` says what is in it. */
export interface OutboxMessage {
  /** The message's id for its receiver: the same at every post, and made of its subject, so that no decision makes two. */
  readonly id: string;
  readonly event: CallbackType;
  /** A turn's `callback_url`; null: the webhook of the service. */
  readonly url: string | null;
  /** The finished turn that it shows, as it is stored when it is posted. */
  readonly turn_id: string | null;
  readonly data: unknown;
}

/** A message whose list this is: its owner, or `WEBHOOK_READER`. */
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
  /** The body; null where its subject is gone, or can't be read. */
  readonly data: TurnView | object | null;
  readonly turn_id: string | null;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Posts that were not accepted so far. */
  readonly attempts: number;
}

/** A message that was to be posted and is gone with its session. */
export type DroppedCallback = Pick<PendingCallback, 'reader'>;

/** The outcome of a post: it is posted again, or it has ended. `dropped`: its subject is gone, and so is it. */
export type CallbackResult =
  | { readonly state: 'pending'; readonly retryAt: number; readonly error: string }
  | { readonly state: 'delivered' }
  | { readonly state: 'given_up'; readonly error: string }
  | { readonly state: 'dropped' };

export interface CallbackLane {
  readonly reader: string;
  /** When the first of it is due, epoch milliseconds. */
  readonly due_at: number;
  readonly pending: number;
}

export type ListedCallback = CallbackView & { readonly reader: string };

export const callbackView = ({ reader: _, ...view }: ListedCallback): CallbackView => view;
