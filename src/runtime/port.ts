import type { Decider } from '../../contracts/approver.ts';
import type { By } from '../../contracts/by.ts';
import type { CallbackState, CallbackView } from '../../contracts/callback.ts';
import type { FeedbackLine, FeedbackRequest } from '../../contracts/feedback.ts';
import type {
  ApprovalCard,
  EditedPlanFile,
  PlanPatch,
  SessionView,
  WaitingState,
  WaitingTask,
} from '../../contracts/http.ts';
import type { ModelCall, ModelCallSummary } from '../../contracts/model-call.ts';
import type { SessionQuery } from '../../contracts/sessions.ts';
import type { AnswerNews } from '../../contracts/stream.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import type { ForkPreview, TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { ListedUsageDay, UsageDay } from '../../contracts/usage.ts';
import type { ServedOwners } from '../cluster/port.ts';
import type { Narration } from '../history/narration.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { SessionKey, SubmittedTurn } from '../session/image.ts';
import type { OwnerCounts } from '../session/owner-counts.ts';
import type { MovedQuery, RemovableQuery, RemovableSession, TaskCount } from '../store/port.ts';
import type { Activity } from '../telemetry/port.ts';

/** Where a fork leaves a task's history, and the user's input there. */
export interface TaskFork {
  /** The seq of the last entry of the history; default: the task's last one. */
  at?: number;
  /** The answer if the history waits, a continue if it is paused, a steer if it runs. */
  input?: string;
  /** The new session's name; default: generated. */
  session_id?: string;
  by?: By;
  /** Whom the service takes the sender for; absent: the owner, without roles. */
  decider?: Decider;
}

export interface Submitted {
  readonly turn: TurnView;
  /** False for an existing turn with the same idempotency key. */
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
  /** Also sees callbacks to the service's webhook, for all owners. */
  readonly isOperator: boolean;
}

export interface PruneOptions extends Pick<RemovableQuery, 'owner' | 'before' | 'includeWaiting'> {
  /** False for an owner whose sessions another process removes; default true. */
  readonly isHome?: ((owner: string) => Promise<boolean>) | undefined;
}

/**
 * The sessions of owners, for callers. Whatever it acknowledges is durable. Nothing above it knows how it stores. Every
 * call names the owner; another owner's ids are as unknown as ids that never existed. Calls may be served by a process
 * that does not run the session.
 */
export interface SessionsApi {
  /** Submits a turn and resolves once it is durable, which may be long before it is finished. */
  submit(turn: SubmittedTurn): Promise<Submitted>;
  /** Resolves when the turn is finished; rejects with `TURN_NOT_FOUND`, `SHUTTING_DOWN`, or when `signal` aborts. */
  wait(owner: string, turnId: string, signal: AbortSignal): Promise<TurnView>;
  /** A turn, finished or not; rejects with `TURN_NOT_FOUND`. */
  turn(owner: string, turnId: string): Promise<TurnView>;
  /**
   * Stores what a user thought of a turn's reply, in place of what was said before; null: nothing any more. Changes no
   * history. `TURN_NOT_FOUND`; `TURN_NOT_FINISHED` while it has no reply.
   */
  rate(owner: string, turnId: string, said: FeedbackRequest | null, by: By): Promise<TurnView>;
  /** The turn that was submitted with an idempotency key, finished or not; null: none. */
  turnByKey(owner: string, idempotencyKey: string): Promise<TurnView | null>;
  /** An owner's sessions, most recently used first. Folds nothing. */
  sessions(owner: string, page: PageRequest, query?: SessionQuery): Promise<Page<SessionView>>;
  /** Rejects with `SESSION_NOT_FOUND`. */
  session(owner: string, sessionId: string): Promise<SessionView>;
  /** A session's tasks in the order in which they were opened; rejects with `SESSION_NOT_FOUND`. */
  tasks(owner: string, sessionId: string, page: PageRequest): Promise<Page<TaskView>>;
  /** The number of tasks of an owner, or of one of its sessions, by state and outcome. Folds nothing. */
  countTasks(owner: string, sessionId: string | null): Promise<TaskCount[]>;
  /** A session's turns, finished or not, newest first; rejects with `SESSION_NOT_FOUND`. */
  turns(owner: string, sessionId: string, page: PageRequest): Promise<Page<TurnView>>;
  /** An owner's tasks in these states, over all sessions, longest waiting first. Folds nothing. */
  waiting(owner: string, states: readonly WaitingState[], page: PageRequest): Promise<Page<WaitingTask>>;
  /** Actions of anybody's tasks that a caller may decide by the approvers of their tools, longest waiting first. */
  approvals(decider: Decider, page: PageRequest): Promise<Page<ApprovalCard>>;
  /** Whose task an approval is of, open or not; null: there is none with that id. */
  approvalOwner(id: string): Promise<string | null>;
  /**
   * Decides about an action, as a turn of its session. `APPROVAL_NOT_FOUND`; `QUESTION_NOT_OPEN` once it is closed;
   * `NOT_AN_APPROVER`; `INVALID_REQUEST` for an edit that the tool refuses.
   */
  decideApproval(id: string, decision: NonNullable<SubmittedTurn['decision']>, decider: Decider, by: By): Promise<void>;
  /**
   * An owner's tasks, most recently moved first, and their number on all pages. Sorts everything that the query finds.
   */
  moved(owner: string, query: MovedQuery, page: PageRequest): Promise<Page<MovedTask> & { readonly total: number }>;
  /** Rejects with `TASK_NOT_FOUND`. */
  task(owner: string, taskId: string): Promise<TaskView>;
  /** Cancels a task that has not ended; `TASK_FINISHED` if it has. */
  cancel(owner: string, taskId: string, by?: By): Promise<TaskView>;
  /**
   * Edits the plan of a waiting or paused task, all edits or none. `TASK_RUNNING`, `TASK_FINISHED`, `INVALID_REQUEST`.
   */
  editPlan(owner: string, taskId: string, edits: PlanPatch['edits'], by?: By): Promise<TaskView>;
  /** Makes the plan of a waiting or paused task what an edited plan.json says, all of it or nothing. Rejects likewise. */
  editPlanByFile(owner: string, taskId: string, file: EditedPlanFile, by?: By): Promise<TaskView>;
  /**
   * Creates a session from a task's history up to an entry, with new ids, and continues from there: answered questions
   * are not asked again, open work is performed anew. Returns the turn that its reply will answer. Never changes the
   * original. `TASK_FINISHED` if the task has ended; `INVALID_REQUEST` for an impossible seq or session name.
   */
  fork(owner: string, taskId: string, fork: TaskFork): Promise<TurnView>;
  /** A preview of such a fork: what it would recall, repeat and leave behind. Does not make it. Rejects like `fork`. */
  previewFork(owner: string, taskId: string, at?: number): Promise<ForkPreview>;
  /** Removes a session with its history, turns and named plans. `SESSION_NOT_FOUND`; `TASK_RUNNING` while a task runs or a turn waits. */
  remove(owner: string, sessionId: string): Promise<void>;
  /** Names a session; null: by its first input again. Rejects with `SESSION_NOT_FOUND`. */
  rename(owner: string, sessionId: string, title: string | null): Promise<SessionView>;
  /**
   * Removes everything stored for an owner. Running work is aborted, and its waiters get `TURN_NOT_FOUND`. False:
   * nothing was stored. A session that opens meanwhile is removed too, or stays complete; later ones stay.
   */
  removeOwner(owner: string): Promise<boolean>;
  openSession(session: SessionKey): Promise<void>;
  /** A session's entries with a larger seq, in order, read by page. The first read rejects with `SESSION_NOT_FOUND`. */
  sessionTrace(owner: string, sessionId: string, after?: number): AsyncIterable<TraceEntry>;
  /** A task's own entries, in order, read by page. The first read rejects with `TASK_NOT_FOUND`. */
  taskTrace(owner: string, taskId: string): AsyncIterable<TaskTraceEntry>;
  /** The feedback on the turns of a session, oldest first, read by page. The first read rejects with `SESSION_NOT_FOUND`. */
  sessionFeedback(owner: string, sessionId: string): AsyncIterable<FeedbackLine>;
  /** The same for a task's turns; `TASK_NOT_FOUND`. */
  taskFeedback(owner: string, taskId: string): AsyncIterable<FeedbackLine>;
  /**
   * The stored model calls of a task, in the order in which they ended, without their texts; rejects with
   * `TASK_NOT_FOUND`.
   */
  modelCalls(owner: string, taskId: string, page: PageRequest): Promise<Page<ModelCallSummary>>;
  /** Those for one effect, complete. Empty if it is not a model effect, is not over, or is no longer stored. */
  callsOfEffect(owner: string, taskId: string, effectId: string, page: PageRequest): Promise<Page<ModelCall>>;
  /**
   * Entries with a larger seq, then new ones as they are committed, until `signal` aborts. Without gaps or repetition.
   */
  follow(owner: string, sessionId: string, after: number, signal: AbortSignal): AsyncIterable<TraceEntry>;
  /**
   * The same with each entry's messages, and meanwhile what models write of answers, unless `watch` is false. Models
   * stream only while somebody watches.
   */
  followLive(
    owner: string,
    sessionId: string,
    after: number,
    signal: AbortSignal,
    watch?: boolean,
  ): AsyncIterable<Narration | AnswerNews>;
  /**
   * Makes models stream in a session, which need not exist yet, before `followLive` is called. Returns the function
   * that ends this, to be called once.
   */
  watch(owner: string, sessionId: string): () => void;
  /**
   * Callbacks in these states, newest first: those of the owner's turns, and for an operator also those of the webhook.
   */
  callbacks(reader: CallbackReader, states: readonly CallbackState[], page: PageRequest): Promise<Page<CallbackView>>;
  /** Posts a callback now, whatever its state, with the same id. `CALLBACK_NOT_FOUND`. */
  resendCallback(reader: CallbackReader, id: string): Promise<CallbackView>;
  /** An owner's usage by day, newest first. */
  usageByDay(owner: string, page: PageRequest): Promise<Page<ListedUsageDay>>;
  /** An owner's usage since midnight, UTC. */
  usageToday(owner: string): Promise<UsageDay>;
  /** The owner's limited counts, and the bytes of all stored data (SPEC 11). */
  usage(owner: string): Promise<OwnerCounts & { database_bytes: number; kept_calls: number }>;
}

/** The engine as the process runs it: the only access to state, of all owners. */
export interface Engine extends SessionsApi {
  /** Resumes everything that the last process left open (SPEC 7). Resolves when it is running again. */
  start(): Promise<void>;
  /**
   * Opens a new session with a task as the entry of a trace opened it, under new ids: with its goal, limits, catalogue,
   * conversation and all else. Resolves like `fork`, with the turn that its reply will answer. `SESSION_EXISTS`;
   * `EVENT_NOT_ACCEPTED` for an entry that opens no task.
   */
  openRecorded(session: SessionKey, opened: TaskTraceEntry, timezone?: string): Promise<TurnView>;
  /** The engine as one home of many, in place of `start`. */
  readonly served: ServedOwners;
  /** A task's own entries, for any owner, in order; empty if there is no such task. */
  taskEvents(taskId: string): AsyncIterable<TaskTraceEntry>;
  /** True for a task, of any owner, that has ended; null: there is no such task any more. */
  hasEnded(taskId: string): Promise<boolean | null>;
  /**
   * Takes everything due in the session at `at`, each once: reminders and goals, late if due before `upSince`, and an
   * expiring question. Epoch milliseconds.
   */
  deliverDue(session: SessionKey, at: number, upSince: number): Promise<void>;
  /** Removes old sessions while the service runs, a batch at a time. A running or followed one stays. */
  prune(options: PruneOptions): AsyncIterable<readonly RemovableSession[]>;
  activity(): Promise<Activity>;
  /** True while the service accepts turns and can write the store. */
  isReady(): Promise<boolean>;
  /** True once no more turns are accepted. */
  isStopping(): boolean;
  /**
   * Refuses new turns and lets running work reach its next commit, for `graceMs` at most. Stored data can still be
   * read.
   */
  drain(graceMs?: number): Promise<void>;
  close(graceMs?: number): Promise<void>;
}
