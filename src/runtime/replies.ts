import type { Logger } from 'pino';
import type { TurnView } from '../../contracts/turn-view.ts';
import { isStorageFault, ServiceError } from '../lib/errors.ts';
import { isRemoval } from '../session/change.ts';
import type { SessionListener } from '../session/commit.ts';
import type { SessionImage, SessionKey } from '../session/image.ts';
import { createNotices } from './notices.ts';
import type { CallbackPosts } from './outbox/callbacks.ts';
import type { OwnersHere } from './owners-here.ts';
import type { Engine } from './port.ts';

/** Failed attempts to store an outcome after which waiting callers get an error: some seconds. */
const TRIES_WAITED_FOR = 3;

/** Those who wait for a turn to be finished, by its id. */
export type Replies = ReturnType<typeof createReplies>;

export const createReplies = (log: Logger) => {
  const waiting = createNotices<TurnView>();
  return {
    waiting,
    /** A session could not store something, `tries` times in a row. */
    notStored: ({ session: { session_id }, turns }: SessionImage, cause: unknown, tries: number): void => {
      log[isStorageFault(cause) ? 'debug' : 'error']({ err: cause, session_id }, 'a commit failed; trying again');
      if (tries < TRIES_WAITED_FOR) return;
      const text = 'The reply cannot be stored at the moment; the turn continues when it can: ask for it later';
      for (const { turn_id } of turns) waiting.fail(turn_id, new ServiceError('STORAGE_UNAVAILABLE', text, { cause }));
    },
  };
};

interface Parts {
  waiting: Replies['waiting'];
  callbacks: Pick<CallbackPosts, 'postCallbacks' | 'resent'>;
  /** Resolves once the session's files show its answered turns; null: they already do. */
  filesShown(session: SessionKey): Promise<void> | null;
  reads: Pick<Engine, 'turn'>;
}

/**
 * Creates the listener that sends replies once the files show their tasks: first to those who wait, then as callbacks.
 */
export const createReplySender = ({ waiting, callbacks, filesShown, reads }: Parts): SessionListener => {
  const failRemoved = ({ turns }: SessionImage): void => {
    for (const { turn_id } of turns) waiting.fail(turn_id, new ServiceError('TURN_NOT_FOUND', 'The turn was removed'));
  };
  const tellStored = (owner: string, turn_id: string): void => {
    reads.turn(owner, turn_id).then(
      (turn) => waiting.notify(turn_id, turn),
      (error: unknown) => waiting.fail(turn_id, error),
    );
  };
  return {
    committed: ({ decision, turns }) => {
      if (isRemoval(decision)) failRemoved(decision.image);
      const send = (): void => {
        for (const turn of turns) if (turn.finished_at !== null) waiting.notify(turn.id, turn);
        callbacks.postCallbacks(decision);
      };
      const shown = filesShown(decision.image.session);
      if (shown === null) send();
      else void shown.then(send);
    },
    reloaded: (before, { session: { owner }, turns }) => {
      const open = new Set(turns.map(({ turn_id }) => turn_id));
      for (const { turn_id } of before.turns) if (!open.has(turn_id)) tellStored(owner, turn_id);
      callbacks.resent(owner);
    },
  };
};

/** Creates the wait for a turn to be finished. */
export const createWait =
  (
    waiting: Replies['waiting'],
    ownersHere: Pick<OwnersHere, 'until'>,
    reads: Pick<Engine, 'turn'>,
    stopping: AbortSignal,
  ): Engine['wait'] =>
  async (owner, turnId, signal) => {
    const unneeded = new AbortController();
    // Waits before reading, so that a turn which finishes in between is not missed.
    const next = waiting.next(turnId, ownersHere.until(owner, AbortSignal.any([signal, unneeded.signal])));
    next.catch(() => {});
    try {
      const turn = await reads.turn(owner, turnId);
      if (turn.finished_at !== null) return turn;
      if (stopping.aborted)
        throw new ServiceError('SHUTTING_DOWN', 'The service is stopping; ask for this turn after the restart');
      return await next;
    } finally {
      // Any reason: without one, an error would be created for each turn.
      unneeded.abort('answered');
    }
  };
