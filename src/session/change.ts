import type { NamedApprovers } from '../../contracts/approver.ts';
import type { Effect, SessionEvent, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskState } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { TaskView, TurnStatus } from '../../contracts/turn-view.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { Task } from '../../machines/step.ts';
import type { ToolRun } from '../commands/commands.ts';
import type { NewTurn, OpenTurn, SessionImage, SessionKey, SessionRecord } from './image.ts';
import type { OutboxMessage } from './outbox-message.ts';

export interface TurnReply {
  readonly status: TurnStatus;
  /** Present for a failed command. */
  readonly ok?: false | undefined;
  readonly output: string;
  readonly question: string | null;
  readonly options: string[] | null;
  readonly task: TaskView | null;
}

/** An entry's event and effects as JSON. */
export interface EntryTexts {
  readonly event: string;
  readonly effects: string;
}

/** Calls of one tool that a decision has the results of. */
export interface ToolCalls {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  /** How long they took, in whole milliseconds: those made at once count once. */
  readonly duration_ms: number;
}

/** How a turn is added: in the queue, bound to the active task, answered, or with a tool call that will answer it. */
export type TurnAddedAs = 'queued' | 'running' | TurnReply | ToolRun;

/** Hashes of a session's first acts, which stay in the audit when it is removed. */
export interface ActHashes {
  /** The session by its number in the store. */
  readonly session: number;
  /** The last entry whose acts they are. */
  readonly seq: number;
  readonly acts: number;
  /** Lines of the audit by day, such as 20261129. */
  readonly days: ReadonlyMap<number, string>;
}

/**
 * One change that a decision makes in the store, as data. All changes of a decision are stored together or not at all.
 */
export type Change =
  | { readonly type: 'session.added'; readonly session: SessionRecord }
  /** A turn arrived: the session was used, perhaps with another time zone (null: unchanged). */
  | { readonly type: 'session.used'; readonly timezone: string | null }
  /** The agent that works in the session from now on. */
  | { readonly type: 'agent.chosen'; readonly agent: string }
  /** `hashes`: those of its acts that were read before the decision; null: none were. */
  | { readonly type: 'session.removed'; readonly hashes: ActHashes | null }
  | {
      readonly type: 'entry.added';
      readonly seq: number;
      /** Null for an event of the session itself. */
      readonly task_id: string | null;
      readonly state: TaskState | null;
      readonly step_count: number | null;
      readonly event: TaskEvent | TaskOpened | SessionEvent;
      readonly effects: readonly Effect[];
      /** The event and the effects as JSON, so that exactly the stored text is chained. */
      readonly texts: EntryTexts;
      readonly chain: string;
    }
  /** `tool`: the tool that the model's answer asked for; null: none. */
  | { readonly type: 'usage.added'; readonly usage: CallUsage; readonly tool: string | null }
  | { readonly type: 'tools.called'; readonly calls: readonly ToolCalls[] }
  | { readonly type: 'task.added'; readonly task_id: string; readonly first_seq: number }
  /**
   * `view` is null for a running task. A settled task's view is stored, so that lists need not fold it. `question` is
   * its open question.
   */
  | {
      readonly type: 'task.moved';
      readonly task_id: string;
      readonly state: TaskState | 'running';
      readonly touched_at_seq: number;
      readonly view: TaskView | null;
      readonly question: string | null;
      /** When the question expires, in epoch milliseconds; null: never. */
      readonly expires_at: number | null;
    }
  | { readonly type: 'snapshot.saved'; readonly task_id: string; readonly seq: number; readonly task: Task }
  | { readonly type: 'snapshot.dropped'; readonly task_id: string }
  /** The task's action waits for these approvers, until it is closed; `self` false: never the owner. */
  | ({ readonly type: 'approval.opened'; readonly task_id: string } & NamedApprovers)
  | { readonly type: 'approval.closed'; readonly task_id: string }
  /** So often the task's open effect was begun by now; 0: whoever asked for it left it to another process. */
  | { readonly type: 'effect.begun'; readonly task_id: string; readonly effect: number; readonly begins: number }
  | {
      readonly type: 'turn.added';
      readonly turn: OpenTurn;
      /** The turn as it was sent. */
      readonly sent: NewTurn;
      readonly status: TurnStatus;
      /** Null: not answered yet. */
      readonly reply: TurnReply | null;
      /** The call of a tool that a user tries; its result answers the turn. */
      readonly run: ToolRun | null;
    }
  | { readonly type: 'turn.bound'; readonly turn_id: string; readonly task_id: string }
  | { readonly type: 'turn.finished'; readonly turn: OpenTurn; readonly reply: TurnReply }
  | { readonly type: 'outbox.added'; readonly message: OutboxMessage };

/** A transition of the active task that a decision makes. A late result makes none. */
export interface Transition {
  readonly event: TaskEvent | TaskOpened;
  /** The task that the event found; null where it opened the task. */
  readonly before: Task | null;
  readonly task: Task;
}

/** The result of an input: the changes to store, and the session after they are stored. */
export interface Decision {
  /** The time of the decision, in epoch milliseconds. */
  readonly at: number;
  readonly changes: readonly Change[];
  readonly image: SessionImage;
  readonly transitions: readonly Transition[];
}

/** An entry of a task's history, without its results. */
type TaskEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

/** The entries that a decision adds to the task of its last transition. */
export const newEntries = ({ changes, transitions }: Decision): TaskEntry[] => {
  const ours = transitions.at(-1)?.task.context.task_id;
  const entries: TaskEntry[] = [];
  for (const change of changes)
    if (change.type === 'entry.added' && change.task_id === ours)
      // A task's entry never contains a session's event.
      entries.push({ seq: change.seq, event: change.event } as TaskEntry);
  return entries;
};

/**
 * Gets a task after a commit, with its new entries. If the task's turns are answered, its files show it before this
 * returns. Never throws.
 */
export type OnTaskMoved = (
  session: SessionKey,
  task: Task,
  isAnswering: boolean,
  entries: readonly TaskEntry[],
) => void;

/** True for a decision that removes its session, which is then its only change. */
export const isRemoval = ({ changes }: Decision): boolean => changes[0]?.type === 'session.removed';
