import type { SessionEvent, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import { isEnded, isSettled } from '../../../contracts/task.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { conversationOf } from '../../../machines/context.ts';
import type { Step, Task } from '../../../machines/step.ts';
import { replyOf } from '../../projections/reply.ts';
import { taskView } from '../../projections/task-view.ts';
import type { Change, TurnReply } from '../change.ts';
import type { ActiveTask, SessionImage } from '../session-image.ts';

/** Events between two snapshots of a running task: loading folds at most this many. */
const SNAPSHOT_EVERY = 50;

/** An effect that this process asked for itself. */
export const FIRST_BEGIN = { isRetryAfterCrash: false, begins: 1, isBegun: true };

/** A session after a part of a decision, and the changes to store. */
export interface Moved {
  readonly image: SessionImage;
  readonly changes: readonly Change[];
}

/** The entry of an event; `made` is what it led to, null for an event of the session itself. */
export const entryOf = (
  seq: number,
  made: Step | null,
  event: TaskEvent | TaskOpened | SessionEvent,
): Extract<Change, { type: 'entry.added' }> => {
  const { state = null, context } = made?.task ?? {};
  const { task_id = null, step_count = null } = context ?? {};
  return { type: 'entry.added', seq, task_id, state, step_count, event, effects: made?.effects ?? [] };
};

/** A settled task is stored as it is now. One that has ended changes no more: its history and its view are enough. */
export const settledTask = (
  task: Task,
  seq: number,
  touched_at_seq: number,
  isSnapped: boolean,
): { view: TaskView; changes: readonly Change[] } => {
  const { state, context } = task;
  const { task_id } = context;
  const view = taskView(task);
  const question = state === 'awaiting_user' ? context.last_ask_user_question : null;
  const moved: Change = { type: 'task.moved', task_id, state, touched_at_seq, view, question };
  if (!isEnded(state)) return { view, changes: [{ type: 'snapshot.saved', task_id, seq, task }, moved] };
  return { view, changes: isSnapped ? [{ type: 'snapshot.dropped', task_id }, moved] : [moved] };
};

/** Answers the turns that are bound to a settled task. */
export const turnsAnswered = (image: SessionImage, task: Task, view: TaskView): Moved => {
  const isBound = ({ task_id }: SessionImage['turns'][number]): boolean => task_id === task.context.task_id;
  const bound = image.turns.filter(isBound);
  if (bound.length === 0) return { image, changes: [] };
  const reply: TurnReply = { ...replyOf(task), task: view };
  const answered = bound.map(({ input }) => ({ said: input, answered: reply.output }));
  return {
    image: {
      ...image,
      turns: image.turns.filter((turn) => !isBound(turn)),
      conversation: conversationOf([...image.conversation, ...answered]),
    },
    changes: bound.map((turn) => ({ type: 'turn.finished', turn, reply })),
  };
};

const settled = (before: SessionImage, { task }: Step, isSnapped: boolean): Moved => {
  const { seq } = before;
  const { state, context } = task;
  const { task_id } = context;
  const stored = settledTask(task, seq, seq, isSnapped);
  const { image, changes } = turnsAnswered(before, task, stored.view);
  const lastPaused = image.lastPaused === task_id ? undefined : image.lastPaused;
  return {
    image: {
      ...image,
      recent: { task_id, state, touched_at_seq: seq },
      lastPaused: state === 'paused' ? task_id : lastPaused,
      active: state === 'awaiting_user' ? { task, ...FIRST_BEGIN, unsnapped: 0, isSnapped: true } : null,
      open: null,
    },
    changes: [...stored.changes, ...changes],
  };
};

/** The changes of one step of the active task, and of its settling. `before` is the task without its state. */
export const taskMoved = (
  image: SessionImage,
  before: Omit<ActiveTask, 'task'>,
  made: Step,
  event: TaskEvent | TaskOpened,
): Moved => {
  const { task, effects } = made;
  const seq = image.seq + 1;
  const entry = entryOf(seq, made, event);
  if (isSettled(task.state)) {
    const moved = settled({ ...image, seq }, made, before.isSnapped);
    return { image: moved.image, changes: [entry, ...moved.changes] };
  }
  const [effect] = effects;
  const { isRetryAfterCrash, begins, isBegun } = effect === undefined ? before : FIRST_BEGIN;
  const isSnapped = before.unsnapped + 1 >= SNAPSHOT_EVERY;
  const active = {
    ...{ task, isRetryAfterCrash, begins, isBegun },
    unsnapped: isSnapped ? 0 : before.unsnapped + 1,
    isSnapped: before.isSnapped || isSnapped,
  };
  const { task_id } = task.context;
  return {
    image: { ...image, seq, active, open: effect ?? image.open },
    changes: isSnapped ? [entry, { type: 'snapshot.saved', task_id, seq, task }] : [entry],
  };
};
