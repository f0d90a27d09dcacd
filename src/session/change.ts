import type { Effect, SessionEvent, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskState } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { TaskView, TurnStatus } from '../../contracts/turn-view.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { Task } from '../../machines/step.ts';
import type { ToolRun } from '../commands/commands.ts';
import type { NewTurn, OpenTurn, SessionImage, SessionKey, SessionRecord } from './image.ts';
import type { DroppedCallback, OutboxMessage } from './outbox-message.ts';

export interface TurnReply {
  readonly status: TurnStatus;
  /** Of a command that failed. */
  readonly ok?: false | undefined;
  readonly output: string;
  readonly question: string | null;
  readonly options: string[] | null;
  readonly task: TaskView | null;
}

/** How a turn is added: waiting in the queue, bound to the active task, answered, or with a tool to call that will answer it. */
export type TurnAddedAs = 'queued' | 'running' | TurnReply | ToolRun;

/** One thing that a decision changes in the store, as data. All changes of one decision are stored together or not at all. */
export type Change =
  | { readonly type: 'session.added'; readonly session: SessionRecord }
  /** A turn came: the session was used, and its zone may be another (null: as it was). */
  | { readonly type: 'session.used'; readonly timezone: string | null }
  | { readonly type: 'session.removed' }
  | {
      readonly type: 'entry.added';
      readonly seq: number;
      /** Null for an event of the session itself. */
      readonly task_id: string | null;
      readonly state: TaskState | null;
      readonly step_count: number | null;
      readonly event: TaskEvent | TaskOpened | SessionEvent;
      readonly effects: readonly Effect[];
    }
  | { readonly type: 'usage.added'; readonly usage: CallUsage }
  | { readonly type: 'task.added'; readonly task_id: string; readonly first_seq: number }
  /** `view` is null for a task that runs; of a settled one it is stored, so that lists fold nothing. `question` is what it asks its user. */
  | {
      readonly type: 'task.moved';
      readonly task_id: string;
      readonly state: TaskState | 'running';
      readonly touched_at_seq: number;
      readonly view: TaskView | null;
      readonly question: string | null;
      /** When the question expires, epoch milliseconds; null: never. */
      readonly expires_at: number | null;
    }
  | { readonly type: 'snapshot.saved'; readonly task_id: string; readonly seq: number; readonly task: Task }
  | { readonly type: 'snapshot.dropped'; readonly task_id: string }
  /** So often the task's open effect was begun by now; 0: whoever asked for it left it to another process. */
  | { readonly type: 'effect.begun'; readonly task_id: string; readonly effect: number; readonly begins: number }
  | {
      readonly type: 'turn.added';
      readonly turn: OpenTurn;
      /** The turn as it was sent. */
      readonly sent: NewTurn;
      readonly status: TurnStatus;
      /** Null: it is not answered yet. */
      readonly reply: TurnReply | null;
      /** The call that will answer it, of a turn with which a tool is tried. */
      readonly run: ToolRun | null;
    }
  | { readonly type: 'turn.bound'; readonly turn_id: string; readonly task_id: string }
  | { readonly type: 'turn.finished'; readonly turn: OpenTurn; readonly reply: TurnReply }
  | { readonly type: 'outbox.added'; readonly message: OutboxMessage };

/** One step that a decision made in the active task. A late result beside it is none. */
export interface TaskStep {
  readonly event: TaskEvent | TaskOpened;
  /** The task that the event found; null where it opened the task. */
  readonly before: Task | null;
  readonly task: Task;
}

/** The outcome of an input: the changes to store, and the session as it is once they are stored. */
export interface Decision {
  /** The time of the decision, epoch milliseconds. */
  readonly at: number;
  readonly changes: readonly Change[];
  readonly image: SessionImage;
  /** Of a removal that was stored: the session's callbacks that were still to be posted. */
  readonly dropped?: readonly DroppedCallback[];
  readonly steps: readonly TaskStep[];
}

/** An entry of a task's history, without what it led to. */
type TaskEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

/** The entries that a decision adds to the task that its last step was of. */
export const newEntries = ({ changes, steps }: Decision): TaskEntry[] => {
  const ours = steps.at(-1)?.task.context.task_id;
  const entries: TaskEntry[] = [];
  for (const change of changes)
    if (change.type === 'entry.added' && change.task_id === ours)
      // An entry of a task has no session's event.
      entries.push({ seq: change.seq, event: change.event } as TaskEntry);
  return entries;
};

/** Gets a task as it is after a commit, with the entries that were stored with it, and shows it before this returns where its turns are answered. Never throws. */
export type OnTaskMoved = (
  session: SessionKey,
  task: Task,
  isAnswering: boolean,
  entries: readonly TaskEntry[],
) => void;

/** True for a decision that removes its session, which is then its only change. */
export const isRemoval = ({ changes }: Decision): boolean => changes[0]?.type === 'session.removed';
