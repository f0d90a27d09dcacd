import type { Database } from 'better-sqlite3';
import type { SessionKey } from '../../engine/session-image.ts';
import type { LeftOpen } from '../port.ts';
import { callbackLanes } from './outbox.ts';
import { countOwners } from './owner-counts.ts';
import { REMOVED_LATELY } from './removed-sessions.ts';
import type { TaskRow } from './rows.ts';
import type { Reads, Writes } from './statements.ts';

const CLEAN = 'clean_shutdown';

/** Marks that the process ended in order: what is open was handed over, not lost in a crash. */
export const markClean = (db: Database, writes: Writes): void => {
  db.exec('DELETE FROM removed_sessions');
  writes.setMeta.run(CLEAN, '1');
};

/** Newest entries whose tasks' files may be behind after a crash: far more than are made in the time of one write. */
const LATEST_ENTRIES = 2_000;

const lastMoved = (reads: Reads): TaskRow[] => {
  const newest = new Map<number, TaskRow>();
  for (const task of reads.tasksMovedLast.all(LATEST_ENTRIES)) {
    const other = newest.get(task.session);
    if (other === undefined || other.touched_at_seq < task.touched_at_seq) newest.set(task.session, task);
  }
  return [...newest.values()];
};

/** After an end in order what was open was handed over: no effect counts as begun (SPEC 6, crash_loop). */
const forgetBegins = (reads: Reads, writes: Writes, running: TaskRow[]): void => {
  for (const task of running) {
    const last = reads.lastEffects.get(task.session, task.id);
    if (last !== undefined) writes.setAttempts.run(0, String(JSON.parse(last.effects)[0]?.effect), task.id);
  }
};

/** Finds what was left open when the last process ended: the sessions to wake, and after a crash the tasks that moved last. */
export const findLeftOpen = (db: Database, reads: Reads, writes: Writes): LeftOpen => {
  const keyOf = (id: number): SessionKey[] => {
    const row = reads.sessionById.get(id);
    return row === undefined ? [] : [{ owner: row.owner, session_id: row.session_id }];
  };
  const find = db.transaction((): LeftOpen => {
    const isClean = reads.meta.get(CLEAN)?.value === '1';
    writes.setMeta.run(CLEAN, '0');
    const running = reads.runningTasks.all();
    if (isClean) forgetBegins(reads, writes, running);
    const open = new Set(running.map(({ session }) => session));
    for (const { session } of reads.sessionsWithOpenTurns.all()) open.add(session);
    const moved = isClean ? [] : lastMoved(reads);
    return {
      // Also after an end in order: `tripact prune` may have been ended since.
      removed: db.prepare<[], SessionKey>(REMOVED_LATELY).all(),
      owners: countOwners(db),
      callbacks: callbackLanes(db),
      sessions: [...open].flatMap(keyOf),
      moved: moved.flatMap(({ session, task_id }) => keyOf(session).map((key) => ({ ...key, task_id }))),
    };
  });
  return find.immediate();
};
