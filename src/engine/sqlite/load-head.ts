import type { TaskEvent } from '../../../contracts/event.ts';
import type { TaskState } from '../../../contracts/task.ts';
import type { SessionHead } from '../session-head.ts';
import type { HeadRows } from './change.ts';
import { loadTask, machineChanged } from './load-task.ts';
import type { SessionRow } from './rows.ts';
import type { Statements } from './statements.ts';

/** A session as its rows say it is, and an event that must go in first where a changed machine disagrees with its history. */
export interface LoadedHead {
  head: SessionHead;
  rows: HeadRows;
  first: TaskEvent | null;
}

/** The head of a session in which nothing has happened yet. */
export const newHead = (): LoadedHead => ({
  head: { seq: 0, active: null, open: null, recent: null, queued: [] },
  rows: { taskRow: null, unsnapped: 0, isSnapped: false },
  first: null,
});

/** Loads a session: its last seq, its active task folded from snapshot and entries, and its queue. Changes nothing. */
export const loadHead = (statements: Statements, row: SessionRow): LoadedHead => {
  const recent = statements.recentTask.get(row.id);
  const active = statements.activeTask.get(row.id);
  const loaded = active === undefined ? null : loadTask(statements, active);
  const queued = statements.queuedTurns.all(row.id);
  const begins = active !== undefined && loaded?.open?.effect_id === active.begun_effect ? active.begins : 1;
  return {
    head: {
      seq: statements.lastSeq.get(row.id)?.seq ?? 0,
      active: loaded === null ? null : { task: loaded.task, isRecovered: loaded.open !== null, begins },
      open: loaded?.open ?? null,
      recent: recent === undefined ? null : { task_id: recent.task_id, state: recent.state as TaskState | 'running' },
      queued: queued.map(({ turn_id, input, confirm_plan }) => ({
        turn_id,
        input,
        confirm_plan: confirm_plan === null ? undefined : confirm_plan === 1,
      })),
    },
    rows: { taskRow: active?.id ?? null, unsnapped: loaded?.unsnapped ?? 0, isSnapped: true },
    first: loaded?.disagreement == null ? null : machineChanged(loaded.disagreement),
  };
};
