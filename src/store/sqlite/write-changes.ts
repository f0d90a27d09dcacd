import type { Database } from 'better-sqlite3';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { isEnded } from '../../../machines/is-settled.ts';
import { type Change, type Decision, replyIn, statusIn, type TurnReply } from '../../engine/change.ts';
import type { SessionImage } from '../../engine/session-image.ts';
import { bodyHash } from '../../engine/turn-views.ts';
import { ServiceError } from '../../lib/errors.ts';
import { prepareOutboxWrites } from './outbox.ts';
import { removeSession } from './remove-session.ts';
import type { StoredReply } from './rows.ts';
import { prepareSharedSnapshots } from './shared-snapshots.ts';
import { prepareSharedEntries, SHARED_ENTRY_BYTES } from './shared-texts.ts';
import type { Writes } from './statements.ts';
import type { UsageDays } from './usage-days.ts';

/** A reply as stored in its row: the view of a task that has ended with it is in the task's own row. */
const storedReply = ({ output, question, options, task }: TurnReply): string => {
  const stored: StoredReply = { output, question, options, task: task === null || isEnded(task.state) ? null : task };
  return JSON.stringify(stored);
};

/** An optional boolean as stored in its column. */
const flag = (value: boolean | undefined): number | null => (value === undefined ? null : Number(value));

/** An idempotency key that another turn has. */
const isKeyTaken = (error: unknown): boolean => String((error as Error).message).includes('turns.idempotency_key');

/** What writes the session's row, so that its bytes are counted with it. */
const isCounted = ({ type }: Change): boolean =>
  type === 'session.added' || type === 'session.used' || type === 'turn.finished';

/** Longest history that a fork stores itself where the original was removed while it was made, in bytes: about 10 ms a MiB, for which all others wait. */
const STORED_AT_ONCE_BYTES = 2 * 1024 * 1024;

/** Task numbers kept in memory: SQLite plans a look-up with a bound value anew at every call. */
const TASK_IDS_KEPT = 10_000;

/** What a turn's row takes beside its texts, with its entries in indexes, in bytes: more than the texts of the shortest commands. */
export const TURN_ROW_BYTES = 200;

interface Parts {
  db: Database;
  writes: Writes;
  usageDays: UsageDays;
  /** The number of this machine's version. */
  machine: number;
  /** So many characters of text are stored. */
  onText(chars: number): void;
}

/** Makes what stores a decision's changes, inside the caller's transaction. */
export const createWriteChanges = ({ db, writes, usageDays, machine, onText }: Parts) => {
  const remove = removeSession(db);
  const outbox = prepareOutboxWrites(db);
  const shared = prepareSharedEntries(db);
  const addSharedSnapshot = prepareSharedSnapshots(db);
  const taskIds = new Map<string, number>();

  const keepTaskId = (task_id: string, id: number): number => {
    if (taskIds.size >= TASK_IDS_KEPT) taskIds.clear();
    taskIds.set(task_id, id);
    return id;
  };
  const taskId = (task_id: string | null): number | null =>
    task_id === null ? null : (taskIds.get(task_id) ?? keepTaskId(task_id, writes.taskId.get(task_id)!));

  /** What the decision that is written adds: to the turns of its session, with the snapshot that a fork begins with, and to its trace. */
  let added = { turns: 0, entries: 0 };
  /** What the active task holds in memory: its last snapshot and the entries since. */
  let held = { task_id: '', bytes: 0 };
  /** The reply that the decision gave last, and the turn that has it: those that joined a task get the same one. */
  let given: { reply: TurnReply; turn_id: string } | null = null;
  /** The task that the decision has copies of, and whether its texts are there. */
  let copied = { task_id: '', isThere: false };
  const isThere = (task_id: string): boolean => {
    if (copied.task_id !== task_id) copied = { task_id, isThere: shared.hasTexts(task_id) };
    return copied.isThere;
  };
  /** Refuses a long history that would have to be stored anew, as if the removal of its original had come first. */
  const refuseLong = (copied_bytes: number): void => {
    if (copied_bytes > STORED_AT_ONCE_BYTES)
      throw new ServiceError('TASK_NOT_FOUND', 'The task was removed while it was forked');
  };
  const stored = (text: string): string => {
    onText(text.length);
    return text;
  };
  const countedTurn = (text: string): string => {
    added.turns += Buffer.byteLength(text);
    return stored(text);
  };
  /** A task's view as stored, and what is counted of it. */
  const viewed = (view: TaskView | null) => ({
    view: view === null ? null : stored(JSON.stringify(view)),
    outcome: view?.outcome ?? null,
  });
  const countedEntry = (value: object): string => {
    const text = stored(JSON.stringify(value));
    added.entries += Buffer.byteLength(text);
    return text;
  };

  /** The task's last snapshot has so many bytes. */
  const snapped = (task_id: string, bytes: number): number => {
    if (held.task_id === task_id) held.bytes = bytes;
    return bytes;
  };

  const addTurn = (
    { turn, task_id, as }: Extract<Change, { type: 'turn.added' }>,
    session: number,
    at: number,
  ): void => {
    const reply = replyIn(as);
    const { callback_url = '', idempotency_key = '' } = turn;
    // The key is in an index, too.
    added.turns += TURN_ROW_BYTES + Buffer.byteLength(callback_url) + 2 * idempotency_key.length;
    if (typeof as === 'string') usageDays.addTurn(turn.owner, at);
    const row = [
      turn.turn_id,
      session,
      turn.owner,
      typeof as === 'string' ? 'task' : 'command',
      statusIn(as),
      taskId(task_id),
      countedTurn(turn.input),
      flag(turn.confirm_plan),
      flag(turn.planning),
      flag(turn.conversation),
      turn.callback_url ?? null,
      turn.idempotency_key ?? null,
      bodyHash(turn),
      reply === null ? null : countedTurn(storedReply(reply)),
      at,
      reply === null ? null : at,
    ];
    try {
      writes.addTurn.run(...row);
    } catch (error) {
      if (!isKeyTaken(error) || writes.freeKey.run(turn.owner, turn.idempotency_key ?? '').changes === 0) throw error;
      writes.addTurn.run(...row);
    }
  };

  const write = (change: Change, { session }: SessionImage, at: number): void => {
    const { id, owner } = session;
    switch (change.type) {
      case 'session.added': {
        const { session_id, timezone, created_at, copied_bytes } = change.session;
        return void writes.addSession.run(id, owner, session_id, timezone, created_at, at, copied_bytes);
      }
      case 'session.used':
        return void writes.useSession.run(at, change.timezone, id);
      case 'session.removed':
        // It may have taken over texts since its image was loaded.
        added.entries += session.stored_bytes - remove(id);
        return;
      case 'entry.added': {
        const { seq, task_id, state, step_count, event, effects, copy_of } = change;
        if (copy_of !== undefined && isThere(copy_of.task_id)) {
          const task = taskId(task_id);
          shared.add({ session: id, seq, task, at, machine, state, step_count, text: copy_of.text });
          added.entries += SHARED_ENTRY_BYTES;
          return;
        }
        if (copy_of !== undefined) refuseLong(session.copied_bytes);
        const before = added.entries;
        const requested = effects.length === 0 ? null : countedEntry(effects);
        const text = countedEntry(event);
        if (held.task_id === task_id) held.bytes += added.entries - before;
        return void writes.addEntry.run(id, seq, taskId(task_id), at, machine, state, step_count, text, requested);
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
      case 'snapshot.saved': {
        if (change.parts !== undefined) {
          onText(change.parts.rest.length);
          const bytes = addSharedSnapshot(taskId(change.task_id)!, change.seq, machine, change.parts);
          added.turns += snapped(change.task_id, bytes);
          return;
        }
        const body = stored(JSON.stringify(change.task));
        snapped(change.task_id, Buffer.byteLength(body));
        return void writes.saveSnapshot.run(taskId(change.task_id), change.seq, machine, body);
      }
      case 'snapshot.dropped':
        return void writes.dropSnapshot.run(taskId(change.task_id));
      case 'turn.added':
        return addTurn(change, id, at);
      case 'turn.bound':
        return void writes.bindTurn.run(taskId(change.task_id), change.turn_id);
      case 'turn.finished': {
        const { turn, reply } = change;
        const { turn_id } = turn;
        const same = given?.reply === reply ? given.turn_id : null;
        const text = same === null ? countedTurn(storedReply(reply)) : null;
        if (same === null) given = { reply, turn_id };
        return void writes.finishTurn.run({ status: reply.status, reply: text, at, same, turn_id });
      }
      case 'outbox.added':
        return outbox.add(change.message, session, at);
      default:
        return change satisfies never;
    }
  };

  /** Gives the decision with what it has added to what is stored. */
  return (decision: Decision): Decision => {
    const { changes, image, at } = decision;
    added = { turns: 0, entries: 0 };
    copied = { task_id: '', isThere: false };
    given = null;
    const { active } = image;
    held = { task_id: active?.task.context.task_id ?? '', bytes: active?.bytes ?? 0 };
    for (const change of changes) write(change, image, at);
    const { session, seq } = image;
    // The steps of a task that runs are counted when it settles, or is loaded: its session's row is not written for each.
    if (image.open === null || changes.some(isCounted))
      writes.countBytes.run({ id: session.id, seq, turns: added.turns });
    const added_bytes = added.turns + added.entries;
    const stored_bytes = session.stored_bytes + added_bytes;
    const now = { session: { ...session, stored_bytes }, active: active && { ...active, bytes: held.bytes } };
    return { ...decision, added_bytes, image: { ...image, ...now } };
  };
};
