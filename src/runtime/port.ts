import type { CallbackState, CallbackView } from '../../contracts/callback.ts';
import type { PlanPatch, SessionView, WaitingState, WaitingTask } from '../../contracts/http.ts';
import type { ModelCall, ModelCallSummary } from '../../contracts/model-call.ts';
import type { SessionQuery } from '../../contracts/sessions.ts';
import type { AnswerNews } from '../../contracts/stream.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import type { ForkPreview, TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { UsageDay } from '../../contracts/usage.ts';
import type { Residents } from '../cluster/port.ts';
import type { Narration } from '../history/narration.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { SessionKey, SubmittedTurn } from '../session/image.ts';
import type { OwnerCounts } from '../session/owner-counts.ts';
import type { MovedQuery, RemovableQuery, RemovableSession, TaskCount } from '../store/port.ts';
import type { Activity } from '../telemetry/port.ts';

/** Where a fork leaves a task's history, and what is said to it there. */
export interface TaskFork {
  /** The last entry of the history, by its seq; the task's last one by default. */
  at?: number;
  /** The answer where the history waits, a continue where it is paused, a steer where it runs. */
  input?: string;
  /** The new session's name; made up by default. */
  session_id?: string;
}

export interface Submitted {
  readonly turn: TurnView;
  /** False for a turn that was there already, under the same idempotency key. */
  readonly isNew: boolean;
}

/** A task, and when it was last opened, resumed or settled. */
export interface MovedTask {
  readonly session_id: string;
  readonly moved_at: string;
  readonly task: TaskView;
}

export interface CallbackReader {
  readonly owner: string;
  /** Sees also what goes to the webhook of the service, of all owners. */
  readonly isOperator: boolean;
}

export interface PruneOptions extends Pick<RemovableQuery, 'owner' | 'before' | 'includeWaiting'> {
  /** False for an owner whose sessions are another process's to remove; true by default. */
  readonly isHome?: ((owner: string) => Promise<boolean>) | undefined;
}

/**
 * The sessions of owners, as callers use them. What it acknowledges is durable; nothing above it knows how it stores. Every
 * call names the owner, and another owner's ids are as unknown as ids that never were. Calls may be served by a process that
 * does not run the session.
 */
export interface SessionsApi {
  /** Takes a turn in and resolves once it is durable, which may be long before it is finished. */
  submit(turn: SubmittedTurn): Promise<Submitted>;
  /** Resolves when the turn is finished; rejects with `TURN_NOT_FOUND`, `SHUTTING_DOWN`, or when `signal` aborts. */
  wait(owner: string, turnId: string, signal: AbortSignal): Promise<TurnView>;
  /** A turn, finished or not; rejects with `TURN_NOT_FOUND`. */
  turn(owner: string, turnId: string): Promise<TurnView>;
  /** The turn that was submitted under an idempotency key, finished or not; null where none was. */
  turnByKey(owner: string, idempotencyKey: string): Promise<TurnView | null>;
  /** An owner's sessions, most recently used first. Folds nothing. */
  sessions(owner: string, page: PageRequest, query?: SessionQuery): Promise<Page<SessionView>>;
  /** Rejects with `SESSION_NOT_FOUND`. */
  session(owner: string, sessionId: string): Promise<SessionView>;
  /** A session's tasks in the order in which they were opened; rejects with `SESSION_NOT_FOUND`. */
  tasks(owner: string, sessionId: string, page: PageRequest): Promise<Page<TaskView>>;
  /** How many tasks an owner has, or one of its sessions, by state and outcome. Folds nothing. */
  countTasks(owner: string, sessionId: string | null): Promise<TaskCount[]>;
  /** A session's turns, finished or not, newest first; rejects with `SESSION_NOT_FOUND`. */
  turns(owner: string, sessionId: string, page: PageRequest): Promise<Page<TurnView>>;
  /** An owner's tasks in these states, over all sessions, those that wait longest first. Folds nothing. */
  waiting(owner: string, states: readonly WaitingState[], page: PageRequest): Promise<Page<WaitingTask>>;
  /** An owner's tasks, those that moved last first, and how many there are on all pages. Sorts all that the query finds. */
  moved(owner: string, query: MovedQuery, page: PageRequest): Promise<Page<MovedTask> & { readonly total: number }>;
  /** Rejects with `TASK_NOT_FOUND`. */
  task(owner: string, taskId: string): Promise<TaskView>;
  /** Cancels a task that has not ended; `TASK_FINISHED` when it has. */
  cancel(owner: string, taskId: string): Promise<TaskView>;
  /** Edits the plan of a task that waits or is paused, all edits or none. `TASK_RUNNING`, `TASK_FINISHED`, `INVALID_REQUEST`. */
  editPlan(owner: string, taskId: string, edits: PlanPatch['edits']): Promise<TaskView>;
  /**
   * Creates a session from a task's history up to an entry, under ids of its own, and continues from there for real: what was
   * answered is not asked again, what was open is performed anew. Gives the turn that its reply will answer. Never changes
   * the original. `TASK_FINISHED` where the task has ended; `INVALID_REQUEST` for a seq or a session name that can't be.
   */
  fork(owner: string, taskId: string, fork: TaskFork): Promise<TurnView>;
  /** A preview of such a fork: recalled, done again and left behind. Makes none. Rejects as `fork` does. */
  previewFork(owner: string, taskId: string, at?: number): Promise<ForkPreview>;
  /** Removes a session with its history, turns and named plans. `SESSION_NOT_FOUND`; `TASK_RUNNING` while a task runs or a turn waits. */
  remove(owner: string, sessionId: string): Promise<void>;
  /** Names a session; null: by its first input again. Rejects with `SESSION_NOT_FOUND`. */
  rename(owner: string, sessionId: string, title: string | null): Promise<SessionView>;
  /**
   * Removes all that is stored of an owner. What runs is aborted, and whoever waits for it gets `TURN_NOT_FOUND`. False where
   * nothing was stored. A session that is opened meanwhile goes too, or stays whole; what comes afterwards stays.
   */
  removeOwner(owner: string): Promise<boolean>;
  openSession(session: SessionKey): Promise<void>;
  /** A session's entries with a greater seq, in order, read by page. The first read rejects with `SESSION_NOT_FOUND`. */
  sessionTrace(owner: string, sessionId: string, after?: number): AsyncIterable<TraceEntry>;
  /** A task's own entries, in order, read by page. The first read rejects with `TASK_NOT_FOUND`. */
  taskTrace(owner: string, taskId: string): AsyncIterable<TaskTraceEntry>;
  /** The calls of models that are kept of a task, in the order in which they ended, without their texts; rejects with `TASK_NOT_FOUND`. */
  modelCalls(owner: string, taskId: string, page: PageRequest): Promise<Page<ModelCallSummary>>;
  /** Those for one effect, whole. None where it is no model's, is not over, or is not kept any more. */
  callsOfEffect(owner: string, taskId: string, effectId: string, page: PageRequest): Promise<Page<ModelCall>>;
  /** Entries with a greater seq, then new ones as they are committed, until `signal` aborts. Without gap or repeat. */
  follow(owner: string, sessionId: string, after: number, signal: AbortSignal): AsyncIterable<TraceEntry>;
  /** The same with each entry's messages, and what models write of answers meanwhile; `watch` false: without. Models are asked for it while somebody watches. */
  followLive(
    owner: string,
    sessionId: string,
    after: number,
    signal: AbortSignal,
    watch?: boolean,
  ): AsyncIterable<Narration | AnswerNews>;
  /** Has models asked for what they write in a session, which need not be there yet, before `followLive` is; returns what ends it, to be called once. */
  watch(owner: string, sessionId: string): () => void;
  /** Callbacks in these states, newest first: those of the owner's turns, and an operator's also those of the webhook. */
  callbacks(reader: CallbackReader, states: readonly CallbackState[], page: PageRequest): Promise<Page<CallbackView>>;
  /** Posts a callback now, whatever came of it before, under the same id. `CALLBACK_NOT_FOUND`. */
  resendCallback(reader: CallbackReader, id: string): Promise<CallbackView>;
  /** An owner's usage by day, newest first. */
  usageByDay(owner: string, page: PageRequest): Promise<Page<UsageDay>>;
  /** An owner's usage since midnight, UTC. */
  usageToday(owner: string): Promise<UsageDay>;
  /** The owner's counts that have a limit, and the bytes of all that is stored (SPEC 11). */
  usage(owner: string): Promise<OwnerCounts & { database_bytes: number; kept_calls: number }>;
}

/** The engine as the process runs it: the only access to state, of all owners. */
export interface Engine extends SessionsApi {
  /** Resumes everything that the last process left open (SPEC 7); resolves when it is running again. */
  start(): Promise<void>;
  /** The engine as one home of many, in place of `start`. */
  readonly residents: Residents;
  /** A task's own entries, of whatever owner it is, in order; none where there is no such task. */
  taskEvents(taskId: string): AsyncIterable<TaskTraceEntry>;
  /** True for a task of whatever owner that has ended for good; null where there is no such task, or no more. */
  hasEnded(taskId: string): Promise<boolean | null>;
  /** Takes what is due in the session at `at`, each once: reminders and goals, those from before `upSince` late, and a question that expires. Epoch milliseconds. */
  deliverDue(session: SessionKey, at: number, upSince: number): Promise<void>;
  /** Removes old sessions while the service runs, a batch at a time; one that is running or followed stays. */
  prune(options: PruneOptions): AsyncIterable<readonly RemovableSession[]>;
  activity(): Promise<Activity>;
  /** True while turns are taken in and the store can be written. */
  isReady(): Promise<boolean>;
  /** True once no turns are taken in any more. */
  isStopping(): boolean;
  /** Refuses new turns and lets what runs come to its next commit, for `graceMs` at most; what is stored can still be read. */
  drain(graceMs?: number): Promise<void>;
  close(graceMs?: number): Promise<void>;
}
