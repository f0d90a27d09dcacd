import type { TurnView } from '../../contracts/turn-view.ts';
import { createCrowdSlices } from '../event-loop/loop-slices.ts';
import { ServiceError } from '../lib/errors.ts';
import { createNotices } from './notices.ts';

/** Sessions whose files are written that are gone on with at once in one turn of the event loop, as long as they are quick: the reply with the longest plan takes 20 ms to read and to send. */
const SESSIONS_A_TURN = 16;

/** Replies of turns that are stored, and go out once the session's files say the same (SPEC 10). In memory only. */
export interface DeferredReplies {
  /**
   * A session is about to store these turns as finished. A reader may find one stored before `finish` is called: its reply waits for
   * that, or for `release`.
   */
  prepare(session: string, turns: readonly TurnView[]): void;
  /** The session stores a turn as finished. */
  isPrepared(session: string): boolean;
  /** What the session prepared was not stored. */
  release(session: string): void;
  /** What the session prepared is stored. Those who wait for its turns get them once `isReady` resolves; at once where it is null. */
  finish(session: string, isReady: Promise<void> | null, onSent: () => void): void;
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
export const createDeferredReplies = (): DeferredReplies => {
  const notices = createNotices<TurnView>();
  const inSlices = createCrowdSlices(SESSIONS_A_TURN);
  const waiting = new Map<string, Promise<void>>();
  const preparing = new Map<string, { turns: readonly TurnView[]; sent: PromiseWithResolvers<void> }>();
  let all: Promise<unknown> | undefined;

  /** What the session prepared is sent, or will not be. */
  const end = (turns: readonly TurnView[], sent: PromiseWithResolvers<void>): void => {
    for (const { id } of turns) waiting.delete(id);
    sent.resolve();
  };

  const release = (session: string): void => {
    const prepared = preparing.get(session);
    if (prepared === undefined) return;
    preparing.delete(session);
    end(prepared.turns, prepared.sent);
  };

  return {
    prepare: (session, turns) => {
      release(session);
      if (turns.length === 0) return;
      const sent = Promise.withResolvers<void>();
      preparing.set(session, { turns, sent });
      for (const { id } of turns) waiting.set(id, sent.promise);
    },
    isPrepared: (session) => preparing.has(session),
    release,
    finish: (session, isReady, onSent) => {
      const prepared = preparing.get(session);
      if (prepared === undefined) return;
      preparing.delete(session);
      const { turns, sent } = prepared;
      const send = (): void => {
        end(turns, sent);
        for (const turn of turns) notices.notify(turn.id, turn);
        onSent();
      };
      if (isReady === null) send();
      else void isReady.then(() => inSlices(send, session));
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
