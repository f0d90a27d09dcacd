import type { TurnView } from '../../contracts/turn-view.ts';
import { ServiceError } from '../lib/errors.ts';
import { createNotices } from './notices.ts';

/** Replies of stored turns: each goes out once the session's files say the same (SPEC 10). In memory only. */
export interface Replies {
  /** These turns are stored as finished. Who waits for them gets them once `isShown` resolves, at once where it is null. */
  send(turns: readonly TurnView[], isShown: Promise<void> | null): void;
  /** No reply goes out before this resolves, whenever its turn was finished. */
  deferAll(until: Promise<unknown>): void;
  /** Resolves once a stored reply may go out; undefined where it may at once. */
  deferred(turnId: string): Promise<unknown> | undefined;
  /** Resolves with the finished turn when its reply goes out; rejects when `signal` aborts or the service stops. */
  next(turnId: string, signal: AbortSignal): Promise<TurnView>;
  /** The replies of these turns can not be stored for now: all who wait for them get `STORAGE_UNAVAILABLE`. */
  fail(turns: readonly { turn_id: string }[], cause: unknown): void;
  /** The service stops: rejects all waiters, except those whose reply is about to be sent. */
  dismiss(): void;
}

/** Makes it with nothing deferred. */
export const createReplies = (): Replies => {
  const notices = createNotices<TurnView>();
  const waiting = new Map<string, Promise<void>>();
  let all: Promise<unknown> | undefined;

  const sendNow = (turns: readonly TurnView[]): void => {
    for (const turn of turns) {
      waiting.delete(turn.id);
      notices.notify(turn.id, turn);
    }
  };

  return {
    send: (turns, isShown) => {
      if (isShown === null) return sendNow(turns);
      const sent = isShown.then(() => sendNow(turns));
      for (const { id } of turns) waiting.set(id, sent);
    },
    deferAll: (until) => {
      all = until.finally(() => {
        all = undefined;
      });
    },
    deferred: (turnId) => waiting.get(turnId) ?? all,
    next: notices.next,
    fail: (turns, cause) => {
      const text = 'The reply can not be stored for now; the turn goes on when it can: ask for it later';
      for (const { turn_id } of turns) notices.fail(turn_id, new ServiceError('STORAGE_UNAVAILABLE', text, { cause }));
    },
    dismiss: () => void Promise.all(waiting.values()).then(notices.dismiss),
  };
};
