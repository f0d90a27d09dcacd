import type { Database } from 'better-sqlite3';
import { isEnded } from '../../../contracts/task.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { type Change, type Decision, replyIn, statusIn, type TurnReply } from '../../engine/change.ts';
import type { DroppedCallback } from '../../engine/outbox/message.ts';
import type { SessionImage } from '../../engine/session-image.ts';
import { bodyHash } from '../../engine/turn-views.ts';
import { prepareOutboxWrites } from './outbox.ts';
import { removeSession } from './remove-session.ts';
import type { StoredReply } from './rows.ts';
import type { Writes } from './statements.ts';
import type { UsageDays } from './usage-days.ts';

/** A reply as stored in its row: the view of a task that has ended with it is in the task's own row. */
const storedReply = ({ output, question, options, task }: TurnReply): string => {
  const stored: StoredReply = { output, question, options, task: task === null || isEnded(task.state) ? null : task };
  return JSON.stringify(stored);
};

/** An optional boolean as stored in its column. */
const flag = (value: boolean | undefined): number | null => (value === undefined ? null : Number(value));

/** Task numbers kept in memory: SQLite plans a look-up with a bound value anew at every call. */
const TASK_IDS_KEPT = 10_000;

interface Parts {
  db: Database;
  writes: Writes;
  usageDays: UsageDays;
  /** The number of this machine's version. */
  machine: number;
}

/** Makes what stores a decision's changes, inside the caller's transaction. */
export const createWriteChanges = ({ db, writes, usageDays, machine }: Parts) => {
  const remove = removeSession(db);
  const outbox = prepareOutboxWrites(db);
  const taskIds = new Map<string, number>();

  const keepTaskId = (task_id: string, id: number): number => {
    if (taskIds.size >= TASK_IDS_KEPT) taskIds.clear();
    taskIds.set(task_id, id);
    return id;
  };
  const taskId = (task_id: string | null): number | null =>
    task_id === null ? null : (taskIds.get(task_id) ?? keepTaskId(task_id, writes.taskId.get(task_id)!));

  let dropped: DroppedCallback[] = [];
  /** The reply that the decision gave last, and the turn that has it: those that joined a task get the same one. */
  let given: { reply: TurnReply; turn_id: string } | null = null;
  /** A task's view as stored, and its outcome. */
  const viewed = (view: TaskView | null) => ({
    view: view === null ? null : JSON.stringify(view),
    outcome: view?.outcome ?? null,
  });

  const addTurn = (
    { turn, task_id, as }: Extract<Change, { type: 'turn.added' }>,
    session: number,
    at: number,
  ): void => {
    const reply = replyIn(as);
    if (typeof as === 'string') usageDays.addTurn(turn.owner, at);
    writes.addTurn.run(
      turn.turn_id,
      session,
      turn.owner,
      typeof as === 'string' ? 'task' : 'command',
      statusIn(as),
      taskId(task_id),
      turn.input,
      flag(turn.confirm_plan),
      flag(turn.planning),
      flag(turn.conversation),
      turn.callback_url ?? null,
      turn.idempotency_key ?? null,
      bodyHash(turn),
      reply === null ? null : storedReply(reply),
      at,
      reply === null ? null : at,
    );
  };

  const write = (change: Change, { session }: SessionImage, at: number): void => {
    const { id, owner } = session;
    switch (change.type) {
      case 'session.added': {
        const { session_id, timezone, created_at, is_fork } = change.session;
        return void writes.addSession.run(id, owner, session_id, timezone, created_at, at, Number(is_fork));
      }
      case 'session.used':
        return void writes.useSession.run(at, change.timezone, id);
      case 'session.removed':
        dropped = remove(id);
        return;
      case 'entry.added': {
        const { seq, task_id, state, step_count, event, effects } = change;
        const requested = effects.length === 0 ? null : JSON.stringify(effects);
        const task = taskId(task_id);
        return void writes.addEntry.run(
          id,
          seq,
          task,
          at,
          machine,
          state,
          step_count,
          JSON.stringify(event),
          requested,
        );
      }
      case 'usage.added':
        return usageDays.addCall(owner, at, change.usage);
      case 'task.added': {
        const added = writes.addTask.run(change.task_id, id, owner, change.first_seq, change.first_seq);
        // Also after a commit that was taken back, in which it had another number.
        return void keepTaskId(change.task_id, Number(added.lastInsertRowid));
      }
      case 'task.moved': {
        const { task_id, state, touched_at_seq, question } = change;
        return void writes.moveTask.run({ task_id, state, touched_at_seq, question, ...viewed(change.view), at });
      }
      case 'snapshot.saved':
        return void writes.saveSnapshot.run(taskId(change.task_id), change.seq, machine, JSON.stringify(change.task));
      case 'snapshot.dropped':
        return void writes.dropSnapshot.run(taskId(change.task_id));
      case 'effect.begun':
        return void writes.setAttempts.run(change.begins, String(change.effect), taskId(change.task_id));
      case 'turn.added':
        return addTurn(change, id, at);
      case 'turn.bound':
        return void writes.bindTurn.run(taskId(change.task_id), change.turn_id);
      case 'turn.finished': {
        const { turn, reply } = change;
        const { turn_id } = turn;
        const same = given?.reply === reply ? given.turn_id : null;
        const text = same === null ? storedReply(reply) : null;
        if (same === null) given = { reply, turn_id };
        return void writes.finishTurn.run({ status: reply.status, reply: text, at, same, turn_id });
      }
      case 'outbox.added':
        return outbox.add(change.message, session, at);
      default:
        return change satisfies never;
    }
  };

  /** Gives the decision, of a removal with the callbacks that are posted no more. */
  return (decision: Decision): Decision => {
    const { changes, image, at } = decision;
    given = null;
    dropped = [];
    for (const change of changes) write(change, image, at);
    return dropped.length === 0 ? decision : { ...decision, dropped };
  };
};
