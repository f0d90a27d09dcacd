import type { Database } from 'better-sqlite3';
import type { AddressedEvent, AppendEvents } from '../port.ts';
import { appendEntry } from './append-entry.ts';
import type { Statements } from './statements.ts';

interface Parts {
  db: Database;
  statements: Statements;
  machine: number;
  now(): number;
  /** A session got entries, up to `seq`; told when they are stored. */
  appended(sessionRow: number, seq: number): void;
}

/** Makes the way in for events that no task and no turn brought. */
export const createAppendEvents = ({ db, statements, machine, now, appended }: Parts): AppendEvents => {
  const append = db.transaction((take: () => AddressedEvent[]): { row: number; seq: number }[] =>
    take().flatMap(({ owner, session_id, event }) => {
      const session = statements.sessionByName.get(owner, session_id);
      if (session === undefined) return [];
      const seq = (statements.lastSeq.get(session.id)?.seq ?? 0) + 1;
      appendEntry(statements, [session.id, seq, null, now(), machine, null, null, JSON.stringify(event), null]);
      return [{ row: session.id, seq }];
    }),
  );
  return (take) => {
    for (const { row, seq } of append.immediate(take)) appended(row, seq);
  };
};
