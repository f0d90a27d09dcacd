import type { Database } from 'better-sqlite3';
import { indexEntries } from './append-entry.ts';
import type { SessionRow, TaskRow } from './rows.ts';
import type { Statements } from './statements.ts';

const CLEAN = 'clean_shutdown';

/** Marks that the process ended in order: what is open was handed over, not lost in a crash, and every entry is in the index. */
export const markClean = (statements: Statements): void => {
  indexEntries(statements);
  statements.setMeta.run(CLEAN, '1');
};

/** Newest entries looked at for what was not told outside before a crash: far more than are made in the time of one write. */
const LATEST_ENTRIES = 2_000;

/** What the last process left. */
export interface LeftBehind {
  /** Sessions with an open effect or an unfinished turn. */
  sessions: SessionRow[];
  /** After a crash, each session's most recent task among those that moved last: its files may be behind. */
  moved: TaskRow[];
}

const lastMoved = (statements: Statements): TaskRow[] => {
  const newest = new Map<number, TaskRow>();
  for (const task of statements.tasksMovedLast.all(LATEST_ENTRIES)) {
    const other = newest.get(task.session);
    if (other === undefined || other.touched_at_seq < task.touched_at_seq) newest.set(task.session, task);
  }
  return [...newest.values()];
};

/**
 * Finds what was left open when the last process ended: the sessions to wake. After a crash every open effect counts one
 * more begin, so that one which kills the process can't do so for ever (SPEC 6, crash_loop).
 */
export const findOpenSessions = (db: Database, statements: Statements): LeftBehind => {
  const find = db.transaction((): LeftBehind => {
    const isClean = statements.meta.get(CLEAN)?.value === '1';
    statements.setMeta.run(CLEAN, '0');
    const running = statements.runningTasks.all();
    if (!isClean)
      for (const task of running) {
        const last = statements.lastEffects.get(task.session, task.id);
        const effect = last === undefined ? null : String(JSON.parse(last.effects)[0]?.effect_id);
        const begins = task.begun_effect === effect ? task.begins + 1 : 2;
        statements.setBegins.run(begins, effect, task.id);
      }
    const open = new Set(running.map(({ session }) => session));
    for (const { session } of statements.sessionsWithOpenTurns.all()) open.add(session);
    const sessions = [...open].map((id) => statements.sessionById.get(id)).filter((row) => row !== undefined);
    return { sessions, moved: isClean ? [] : lastMoved(statements) };
  });
  return find.immediate();
};
