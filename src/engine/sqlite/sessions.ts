import type { CommitQueue } from './commit-queue.ts';
import type { SessionRow } from './rows.ts';
import type { Statements } from './statements.ts';

/** The sessions' rows. A session that nobody knows yet is made in memory, and stored by the transaction of its first turn. */
export interface Sessions {
  /** The session's row: the stored one, or a new one that is not stored yet. */
  of(owner: string, sessionId: string, timezone: string): SessionRow;
  /** True for a session that is stored, or is about to be. */
  has(owner: string, sessionId: string): boolean;
  /** A number for a session's row that no other has. */
  newId(): number;
  /** True until a transaction that stored the row was committed. */
  isNew(row: SessionRow): boolean;
  /** Commits a write of the session, and before it in the same transaction the row where that is new; rejects as the queue does. */
  commit(row: SessionRow, write: () => void): Promise<void>;
  /** A new row whose turn was never stored is gone; false for a stored one. */
  forget(row: SessionRow): boolean;
}

/** Makes the keeper of the rows; there is one for a store. */
export const createSessions = (statements: Statements, commits: CommitQueue, now: () => number): Sessions => {
  const fresh = new Map<string, SessionRow>();
  const keyOf = ({ owner, session_id }: Pick<SessionRow, 'owner' | 'session_id'>): string => `${owner}~${session_id}`;
  let lastId = statements.lastSession.get()?.id ?? 0;

  const find = (owner: string, session_id: string): SessionRow | undefined =>
    fresh.get(keyOf({ owner, session_id })) ?? statements.sessionByName.get(owner, session_id);

  const store = ({ id, owner, session_id, timezone, created_at, updated_at }: SessionRow): void =>
    void statements.addSession.run(id, owner, session_id, timezone, created_at, updated_at);

  const sessions: Sessions = {
    of: (owner, session_id, timezone) => {
      const known = find(owner, session_id);
      if (known !== undefined) return known;
      const at = now();
      const row = { id: sessions.newId(), owner, session_id, timezone, created_at: at, updated_at: at };
      fresh.set(keyOf(row), row);
      return row;
    },
    has: (owner, session_id) => find(owner, session_id) !== undefined,
    newId: () => {
      lastId += 1;
      return lastId;
    },
    isNew: (row) => fresh.get(keyOf(row))?.id === row.id,
    commit: async (row, write) => {
      await commits.commit(() => {
        if (sessions.isNew(row)) store(row);
        write();
      });
      sessions.forget(row);
    },
    forget: (row) => sessions.isNew(row) && fresh.delete(keyOf(row)),
  };
  return sessions;
};
