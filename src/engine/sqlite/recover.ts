import type { Database } from 'better-sqlite3';
import type { SessionRow } from './rows.ts';
import type { Statements } from './statements.ts';

const CLEAN = 'clean_shutdown';

/** Marks that the process ended in order: what is open was handed over, not lost in a crash. */
export const markClean = (statements: Statements): void => void statements.setMeta.run(CLEAN, '1');

/**
 * Finds what was left open when the last process ended: the sessions to wake. After a crash every open effect counts one
 * more begin, so that one which kills the process can't do so for ever (SPEC 6, crash_loop).
 */
export const findOpenSessions = (db: Database, statements: Statements): SessionRow[] => {
  const find = db.transaction((): SessionRow[] => {
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
    return [...open].map((id) => statements.sessionById.get(id)).filter((row) => row !== undefined);
  });
  return find.immediate();
};
