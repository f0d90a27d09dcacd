import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { PruneOptions } from '../../engine/port.ts';
import type { RemovableSession } from '../port.ts';
import { prepareOutboxWrites } from './outbox.ts';
import { findRemovable } from './removable-sessions.ts';
import { removeSession } from './remove-session.ts';

/** Sessions removed in one transaction. */
const BATCH = 20;

const prepareRemoval = (db: Database) => {
  const remove = removeSession(db);
  const byName = db
    .prepare<[string, string], number>('SELECT id FROM sessions WHERE owner = ? AND session_id = ?')
    .pluck();
  return {
    removeAll: db.transaction((sessions: readonly RemovableSession[]) => {
      for (const { owner, session_id } of sessions) remove(byName.get(owner, session_id)!);
    }),
  };
};

/**
 * Removes sessions of a database that no service uses: those that are old and have nothing open. Todos and schedules stay, for they
 * are the owner's. Gives each batch once it is removed; a dry run gives what would go, and removes nothing.
 */
export async function* pruneSessions(
  db: Database,
  { before, includeWaiting }: PruneOptions,
  isDryRun: boolean,
): AsyncGenerator<readonly RemovableSession[], void, undefined> {
  const find = findRemovable(db);
  // A dry run works on a database of an older version, too.
  const removal = isDryRun ? null : prepareRemoval(db);
  for (let after: string | null = null; ; ) {
    const page = find({ before, includeWaiting, limit: BATCH, after });
    removal?.removeAll.immediate(page.items);
    yield page.items;
    if (page.next === null) break;
    after = page.next;
    await nextTurn();
  }
  if (isDryRun) return;
  const outbox = prepareOutboxWrites(db);
  for (let after: number | null = 0; after !== null; ) after = outbox.prune(before, after);
}
