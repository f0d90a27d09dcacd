import { createWaiters } from './waiters.ts';

/** The replies of turns on their way out. In memory only: what they say is stored. */
export interface Replies {
  /** These turns are finished. Who waits for them is told once `isReady` resolves; at once where it is null. */
  finish(turnIds: string[], isReady: Promise<void> | null, told: () => void): void;
  /** No reply goes out before this resolves, whenever its turn was finished. */
  hold(until: Promise<unknown>): void;
  /** Resolves once a stored reply may go out. */
  held(turnId: string): Promise<unknown> | undefined;
  /** Resolves when the turn's reply goes out; rejects when `signal` aborts or the service stops. */
  next(turnId: string, signal: AbortSignal): Promise<void>;
  /** The service stops: all who wait are told so, but for those whose reply is on its way out already. */
  dismiss(): void;
}

/** Makes the way out, on which a reply waits for what must be true before anybody reads it: the session's files (SPEC 10). */
export const createReplies = (): Replies => {
  const waiters = createWaiters<string>();
  const held = new Map<string, Promise<void>>();
  let all: Promise<unknown> | undefined;

  return {
    finish: (turnIds, isReady, told) => {
      const tell = (): void => {
        for (const turnId of turnIds) {
          held.delete(turnId);
          waiters.notify(turnId);
        }
        told();
      };
      if (isReady === null) return tell();
      for (const turnId of turnIds) held.set(turnId, isReady);
      void isReady.then(tell);
    },
    hold: (until) => {
      all = until.finally(() => {
        all = undefined;
      });
    },
    held: (turnId) => held.get(turnId) ?? all,
    next: waiters.next,
    dismiss: () => void Promise.all(held.values()).then(waiters.dismiss),
  };
};
