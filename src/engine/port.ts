import type { SessionEvent } from '../../contracts/event.ts';
import type { SessionView, TaskView, TurnRequest, TurnView } from '../../contracts/http.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';

/** A user input on its way in, after the door has checked it. */
export interface SubmittedTurn extends TurnRequest {
  owner: string;
  session_id: string;
  /** Same key and body: the same turn; another body: `IDEMPOTENCY_KEY_REUSED` (SPEC 11). */
  idempotency_key?: string;
}

/** Where a fork leaves a task's history, and what is said to it there. */
export interface TaskFork {
  /** The last entry of the history, by its seq; the task's last one by default. */
  at?: number;
  /** The answer where the history waits, the word to go on where it is paused, a steer where it runs. */
  input?: string;
  /** The new session's name; made up by default. */
  session_id?: string;
}

/**
 * Where sessions live: the only way to state. What it acknowledges is durable; nothing above it knows how it stores. Every
 * call names the owner, and another owner's ids are as unknown as ids that never were.
 */
export interface Engine {
  /** Takes a turn in and resolves once it is durable, which may be long before it is finished. */
  submit(turn: SubmittedTurn): Promise<TurnView>;
  /** Resolves when the turn is finished; rejects with `TURN_NOT_FOUND`, `SHUTTING_DOWN`, or when `signal` aborts. */
  wait(owner: string, turnId: string, signal: AbortSignal): Promise<TurnView>;
  /** A turn, finished or not; rejects with `TURN_NOT_FOUND`. */
  turn(owner: string, turnId: string): Promise<TurnView>;
  /** An owner's sessions, most recently used first; at most `limit`. */
  sessions(owner: string, limit: number): SessionView[];
  session(owner: string, sessionId: string): SessionView;
  tasks(owner: string, sessionId: string): TaskView[];
  task(owner: string, taskId: string): TaskView;
  /** Cancels a task that has not ended; `TASK_FINISHED` when it has. */
  cancel(owner: string, taskId: string): Promise<TaskView>;
  /**
   * Begins a new session with a task's history up to an entry, under ids of its own, and goes on from there for real: what was
   * answered is not asked again, what was open is performed anew. Gives the turn that its reply will answer. Never changes
   * the original. `TASK_FINISHED` where the task has ended; `INVALID_REQUEST` for a seq or a session name that can't be.
   */
  fork(owner: string, taskId: string, fork: TaskFork): Promise<TurnView>;
  /** A session's entries with a greater seq, in order, a page at a time; never held in memory whole. */
  sessionTrace(owner: string, sessionId: string, after?: number): Iterable<TraceEntry>;
  taskTrace(owner: string, taskId: string): Iterable<TaskTraceEntry>;
  /** Entries with a greater seq, then new ones as they are committed, until `signal` aborts. Without gap or repeat. */
  follow(owner: string, sessionId: string, after: number, signal: AbortSignal): AsyncIterable<TraceEntry>;
  /** True while turns are taken in and the store can be written. */
  isReady(): boolean;
  /** Refuses new turns and lets what runs come to its next commit, for `graceMs` at most; what is stored can still be read. */
  drain(graceMs?: number): Promise<void>;
  /** Drains, and closes the store. */
  close(graceMs?: number): Promise<void>;
}

/** An event of a session itself, which belongs to no task, and whose session that is. */
export interface AddressedEvent {
  owner: string;
  session_id: string;
  event: SessionEvent;
}

/**
 * Writes the events that `take` gives into their sessions' traces, in one transaction with what `take` itself writes: both or
 * neither is stored. An event for a session that is not there is dropped.
 */
export type AppendEvents = (take: () => AddressedEvent[]) => void;
