import type { TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import type { TaskState } from '../../../contracts/task.ts';
import { isEnded, isSettled } from '../../../machines/is-settled.ts';
import { open, type Step, step, type Task } from '../../../machines/step.ts';
import { replyOf } from '../../projections/reply.ts';
import { taskView } from '../../projections/task-view.ts';
import type { NewTurn, SessionChange, SessionHead } from '../session-head.ts';
import { appendEntry } from './append-entry.ts';
import { loadTask, machineChanged } from './load-task.ts';
import { effectsText, type SessionRow, type StoredReply, type TaskRow } from './rows.ts';
import type { Statements } from './statements.ts';
import type { Zones } from './zones.ts';

/** Events between two snapshots of a running task: loading folds at most this many. */
const SNAPSHOT_EVERY = 50;

/** An effect that this process asked for itself. */
const FRESH = { isRecovered: false, begins: 1 };

/** What the engine keeps of a session beside its head: the rows' ids. */
export interface HeadRows {
  taskRow: number | null;
  unsnapped: number;
  /** A snapshot of the task is stored, or may be. */
  isSnapped: boolean;
}

/** One step that a change made in the active task, for those who watch commits. A late result is none. */
export interface Committed {
  event: TaskEvent | TaskOpened;
  task: Task;
}

export interface Draft {
  head: SessionHead;
  rows: HeadRows;
  committed: Committed[];
  finished: string[];
}

interface Surroundings {
  statements: Statements;
  zones: Zones;
  session: SessionRow;
  machine: number;
  /** A hash of a turn's body, for its idempotency key. */
  bodyHash(turn: NewTurn): string | null;
}

/** The changes of one session, one at a time. */
export interface Changes {
  /**
   * Opens a change on a copy of the head, at `now` (epoch milliseconds), inside the store's transaction. It is over when the next one
   * begins; the caller keeps the draft if it commits.
   */
  begin(head: SessionHead, rows: HeadRows, now: number): { change: SessionChange; draft: Draft };
}

/** Makes the way to change one session. */
export const createChanges = ({ statements, zones, session, machine, bodyHash }: Surroundings): Changes => {
  let draft: Draft;
  let next: SessionHead;
  let now: number;

  const writeEntry = (taskRow: number, { task, effects }: Step, event: TaskEvent | TaskOpened): void => {
    next.seq += 1;
    const { state, context } = task;
    const text = JSON.stringify(event);
    appendEntry(statements, [
      session.id,
      next.seq,
      taskRow,
      now,
      machine,
      state,
      context.step_count,
      text,
      effectsText(effects),
    ]);
  };

  const saveSnapshot = (taskRow: number, task: Task): void => {
    statements.saveSnapshot.run(taskRow, next.seq, machine, JSON.stringify(task));
  };

  /** Keeps a task at rest as it is now. One that has ended changes no more: its view is kept, and its history tells the rest. */
  const keep = (taskRow: number, task: Task, touchedAt: number, isSnapped: boolean): void => {
    if (isEnded(task.state)) {
      if (isSnapped) statements.dropSnapshot.run(taskRow);
      statements.endTask.run(task.state, touchedAt, JSON.stringify(taskView(task)), taskRow);
    } else {
      saveSnapshot(taskRow, task);
      statements.setTaskState.run(task.state, touchedAt, taskRow);
    }
  };

  /** Answers the turns that are bound to a task at rest. The view of one that has ended is in its own row already. */
  const finishTurns = (taskRow: number, task: Task): void => {
    const bound = statements.turnsOfTask.all(session.id, taskRow);
    if (bound.length === 0) return;
    const { status, output, question } = replyOf(task);
    const reply: StoredReply = { output, question, task: isEnded(task.state) ? null : taskView(task) };
    const text = JSON.stringify(reply);
    for (const { turn_id } of bound) {
      statements.finishTurn.run(status, text, now, turn_id);
      draft.finished.push(turn_id);
    }
  };

  const comeToRest = (taskRow: number, task: Task): void => {
    keep(taskRow, task, next.seq, draft.rows.isSnapped);
    draft.rows.unsnapped = 0;
    draft.rows.isSnapped = !isEnded(task.state);
    finishTurns(taskRow, task);
    next.recent = { task_id: task.context.task_id, state: task.state };
    if (task.state === 'awaiting_user') return;
    next.active = null;
    draft.rows.taskRow = null;
  };

  const take = (taskRow: number, made: Step, event: TaskEvent | TaskOpened): Task => {
    const { task } = made;
    writeEntry(taskRow, made, event);
    draft.committed.push({ event, task });
    const [effect] = made.effects;
    const isSameOpen = effect === undefined && task.context.open_effect_id !== null;
    if (!isSameOpen) next.open = effect ?? null;
    const { isRecovered, begins } = next.active ?? FRESH;
    next.active = { task, ...(isSameOpen ? { isRecovered, begins } : FRESH) };
    draft.rows.unsnapped += 1;
    if (isSettled(task.state)) comeToRest(taskRow, task);
    else if (draft.rows.unsnapped >= SNAPSHOT_EVERY) {
      saveSnapshot(taskRow, task);
      draft.rows.unsnapped = 0;
      draft.rows.isSnapped = true;
    }
    return task;
  };

  const ownTask = (taskId: string): TaskRow => {
    const row = statements.taskByName.get(taskId);
    if (row === undefined || row.session !== session.id) throw new Error(`no task ${taskId} in this session`);
    return row;
  };

  const activeRow = (): number => {
    if (draft.rows.taskRow === null) throw new Error(`session ${session.session_id} has no active task`);
    return draft.rows.taskRow;
  };

  /** Puts one event into a task at rest beside the active one, which goes on undisturbed. */
  const applyAside = (row: TaskRow, event: TaskEvent): void => {
    const { task, disagreement } = loadTask(statements, row);
    let last = task;
    for (const each of disagreement === null ? [event] : [machineChanged(disagreement), event]) {
      const made = step(last, each);
      writeEntry(row.id, made, each);
      last = made.task;
    }
    keep(row.id, last, row.touched_at_seq, true);
    if (next.recent?.task_id === row.task_id) next.recent = { task_id: row.task_id, state: last.state };
  };

  const change: SessionChange = {
    get head() {
      return next;
    },
    addTurn: (turn, as) => {
      const isReply = typeof as !== 'string';
      const { status, ...reply } = isReply ? as : { status: as };
      const taskRow = as === 'running' ? activeRow() : null;
      statements.addTurn.run(
        turn.turn_id,
        session.id,
        session.owner,
        isReply ? 'command' : 'task',
        status,
        taskRow,
        turn.input,
        turn.confirm_plan === undefined ? null : Number(turn.confirm_plan),
        turn.callback_url ?? null,
        turn.idempotency_key ?? null,
        bodyHash(turn),
        isReply ? JSON.stringify(reply) : null,
        now,
        isReply ? now : null,
      );
      if (isReply) draft.finished.push(turn.turn_id);
      if (as === 'queued')
        next.queued = [...next.queued, { turn_id: turn.turn_id, input: turn.input, confirm_plan: turn.confirm_plan }];
      zones.use(session.id, now, turn.timezone);
    },
    bindQueued: (turnId) => {
      next.queued = next.queued.filter(({ turn_id }) => turn_id !== turnId);
      statements.bindTurn.run(activeRow(), turnId);
    },
    openTask: (opened) => {
      const added = statements.addTask.run(opened.task_id, session.id, next.seq + 1, next.seq + 1);
      draft.rows = { taskRow: Number(added.lastInsertRowid), unsnapped: 0, isSnapped: false };
      next.recent = { task_id: opened.task_id, state: 'running' };
      take(activeRow(), open(opened), opened);
    },
    activate: (taskId) => {
      const row = ownTask(taskId);
      const loaded = loadTask(statements, row);
      draft.rows = { taskRow: row.id, unsnapped: loaded.unsnapped, isSnapped: true };
      next.active = { task: loaded.task, ...FRESH };
      next.open = loaded.open;
      if (loaded.disagreement !== null) {
        change.apply(machineChanged(loaded.disagreement));
        change.activate(taskId);
      }
    },
    look: (taskId) => {
      const { active } = next;
      return active?.task.context.task_id === taskId ? active.task : loadTask(statements, ownTask(taskId)).task;
    },
    apply: (event) => {
      const { active } = next;
      const row = activeRow();
      if (active === null) throw new Error(`session ${session.session_id} has no active task`);
      const wasSettled = isSettled(active.task.state);
      const made = step(active.task, event);
      if (wasSettled && !isSettled(made.task.state)) {
        statements.setTaskState.run('running', next.seq + 1, row);
        next.recent = { task_id: active.task.context.task_id, state: 'running' };
      }
      return take(row, made, event);
    },
    supersede: (task_id, effect_id, outcome) => {
      const row = statements.taskByName.get(task_id);
      if (row === undefined || !isEnded(row.state as TaskState)) return;
      applyAside(row, { type: 'result.superseded', effect_id, outcome });
    },
    cancelPaused: (taskId) => applyAside(ownTask(taskId), { type: 'task.cancelled', turn_id: null }),
    lastPaused: () => statements.lastPaused.get(session.id)?.task_id ?? null,
    stateOf: (taskId) => {
      const row = statements.taskByName.get(taskId);
      return row?.session === session.id ? (row.state as TaskState | 'running') : null;
    },
  };
  return {
    begin: (head, rows, at) => {
      next = { ...head };
      draft = { head: next, rows: { ...rows }, committed: [], finished: [] };
      now = at;
      return { change, draft };
    },
  };
};
