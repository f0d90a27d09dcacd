import type { TaskOutcome } from '../../contracts/answer.ts';
import type { AuditLine } from '../../contracts/audit.ts';
import type { CallbackState } from '../../contracts/callback.ts';
import type { Feedback, FeedbackLine } from '../../contracts/feedback.ts';
import type { SessionView, WaitingState, WaitingTask } from '../../contracts/http.ts';
import type { SessionQuery } from '../../contracts/sessions.ts';
import type { TaskState } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { AccessStore } from '../access/port.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { OwnerData, Queries } from '../lib/queries.ts';
import type { ActHashes, Decision } from '../session/change.ts';
import type { LoadedTask, SessionImage, SessionKey, TaskStatus } from '../session/image.ts';
import type { StoredFacts } from '../session/input.ts';
import type {
  CallbackKey,
  CallbackLane,
  CallbackResult,
  ListedCallback,
  PendingCallback,
} from '../session/outbox-message.ts';
import type { OwnerCounts } from '../session/owner-counts.ts';
import type { SignInStore } from '../sign-in/port.ts';
import type { CallQuery, KeptCall, ListedCall } from './call-body.ts';

/** The session has changed since its image was loaded; nothing was stored. Load and decide again. */
export class StaleImage extends Error {
  override name = 'StaleImage';
}

/** Another turn of the owner has the idempotency key; nothing was stored. */
export class KeyTaken extends Error {
  override name = 'KeyTaken';
}

/** A session as listed: without what only its image knows. */
export interface ListedSession extends Omit<SessionView, 'active_task' | 'last_task' | 'phase'> {
  /** The task that runs or waits for the user. */
  readonly active: ListedTask | null;
  /** The last task. If it is running, its real state may be newer. */
  readonly last: SessionView['last_task'];
}

/** The sessions of owners: each is loaded, changed by decisions, and read. */
export interface Sessions {
  /** The session, or the image of a new one that is not stored. `timezone` is for a new session. */
  load(key: SessionKey, timezone: string, now: number): Promise<SessionImage>;
  /**
   * One transaction: makes the decision, runs its queries, and stores its changes, or nothing. Rejects with what
   * the decision throws, with `StaleImage` or `KeyTaken`, or with the store's fault. The decision may be made more than
   * once.
   */
  commit(image: SessionImage, decide: () => Queries<Decision>): Promise<Decision>;
  /** The queries that decisions run in their commit. */
  readonly facts: StoredFacts;
  /** Most recently used first. */
  sessions(owner: string, page: PageRequest, query?: SessionQuery): Promise<Page<ListedSession>>;
  session(key: SessionKey): Promise<ListedSession | null>;
  /** Names a session; null: by its first input again. False: there is none. */
  rename(key: SessionKey, title: string | null): Promise<boolean>;
  /** Entries of a session, or only of one of its tasks, with a larger seq, in order, at most `limit`. */
  entries(key: SessionKey, taskId: string | null, after: number, limit: number): Promise<TraceEntry[]>;
}

/** A task as listed: its view once it is settled, null while it runs. */
export interface ListedTask {
  readonly task_id: string;
  readonly view: TaskView | null;
}

/** A task by its id, with its session. */
export interface FoundTask extends ListedTask, SessionKey, TaskStatus {
  /** The session's, IANA. */
  readonly timezone: string;
}

export interface TaskCount {
  readonly state: TaskState | 'running';
  readonly outcome: TaskOutcome | null;
  readonly count: number;
}

export type ListedWaiting = Omit<WaitingTask, 'task'> & ListedTask;

/**
 * Selects an owner's tasks, listed by when they last moved: of one session, a single one, of one agent, by state and
 * outcome, moved since a time.
 */
export interface MovedQuery {
  readonly session_id?: string | undefined;
  readonly task_id?: string | undefined;
  /** The agent that works in their sessions. */
  readonly agent?: string | undefined;
  readonly kinds?: readonly Pick<TaskCount, 'state' | 'outcome'>[] | undefined;
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
}

/** When a task was last opened, resumed or settled. */
export interface ListedMoved extends ListedTask {
  readonly session_id: string;
  readonly moved_at: string;
}

/** A task whose action waits for approvers. */
export interface OpenApproval {
  readonly owner: string;
  readonly task: TaskView;
  readonly since: string;
  /** When the question expires; null: never. */
  readonly expires_at: string | null;
}

/** A caller who looks for what they may decide: by their names among approvers. */
export interface ApprovalReader {
  readonly owner: string;
  readonly names: readonly string[];
}

/** The tasks of sessions. */
export interface Tasks {
  /** A task folded from its stored history. */
  loadTask(key: SessionKey, taskId: string): Promise<LoadedTask | null>;
  /** `owner` null: of any owner. */
  task(owner: string | null, taskId: string): Promise<FoundTask | null>;
  /** A session's tasks in the order in which they were opened. */
  tasks(key: SessionKey, page: PageRequest): Promise<Page<ListedTask>>;
  /** An owner's tasks by state and outcome; `sessionId` null: of all sessions. */
  countTasks(owner: string, sessionId: string | null): Promise<TaskCount[]>;
  /** An owner's tasks in these states, longest waiting first. */
  waiting(owner: string, states: readonly WaitingState[], page: PageRequest): Promise<Page<ListedWaiting>>;
  /** Approvals that a reader may decide, of all owners, longest waiting first; null: those of all approvers. */
  approvals(reader: ApprovalReader | null, page: PageRequest): Promise<Page<OpenApproval>>;
  /** An owner's tasks, most recently moved first, and their number on all pages. */
  moved(owner: string, query: MovedQuery, page: PageRequest): Promise<Page<ListedMoved> & { total: number }>;
}

export interface StoredTurn {
  readonly turn: TurnView;
  readonly body_hash: string | null;
}

/** The turns of sessions. */
export interface Turns {
  /** A turn by its id, or by the idempotency key of its submission. */
  turn(owner: string, by: 'id' | 'key', value: string): Promise<StoredTurn | null>;
  /** A session's turns, newest first. */
  turns(key: SessionKey, page: PageRequest): Promise<Page<TurnView>>;
  /** Stores what a user thought of a turn's reply; null: nothing any more. False: there is no such turn with a reply. */
  rate(owner: string, turnId: string, feedback: Feedback | null): Promise<boolean>;
  /** The feedback on a session's turns, or only on those of one of its tasks, the oldest turn first. */
  feedback(key: SessionKey, taskId: string | null, page: PageRequest): Promise<Page<FeedbackLine>>;
}

/** Callbacks to programs, until they are posted. */
export interface Callbacks {
  /** A reader's oldest due callback that is not in `open`; otherwise when the next one is due, or null. */
  nextCallback(reader: string, now: number, open: readonly string[]): Promise<PendingCallback | number | null>;
  callbacks(
    readers: readonly string[],
    states: readonly CallbackState[],
    page: PageRequest,
  ): Promise<Page<ListedCallback>>;
  callback(readers: readonly string[], id: string): Promise<ListedCallback | null>;
  /** Stores the outcome of a post; false: the callback was no longer pending. */
  settleCallback(callback: CallbackKey, result: CallbackResult, now: number): Promise<boolean>;
  /** Makes a callback due at `now`, whatever state it is in. */
  resendCallback(callback: CallbackKey, now: number): Promise<void>;
  /** Callbacks to be posted, and unfinished turns that will have one, of these readers; null: of all, the service's webhook too. */
  pendingCallbacks(readers: readonly string[] | null): Promise<number>;
}

/** Model calls, separate from the sessions: their failures never affect a session. */
export interface KeptCalls {
  /**
   * Stores calls, and removes an owner's oldest beyond `kept`. A crash may lose them. False: the database has no room,
   * and nothing was stored.
   */
  add(calls: readonly KeptCall[], kept: number): Promise<boolean>;
  /** A task's calls in the order in which they ended. */
  list(query: CallQuery): Promise<Page<ListedCall>>;
  /** Removes calls made before a time, among the `limit` oldest. Returns their number. */
  forget(before: number, limit: number): Promise<number>;
  count(owner: string): Promise<number>;
}

/** Due times: of reminders, goals and expiring questions. A session takes what is due in it. */
export interface Due {
  /**
   * The soonest due time of these owners (null: all), in epoch milliseconds, ignoring the sessions in `except`; null:
   * none.
   */
  nextDue(owners: readonly string[] | null, except: readonly SessionKey[]): Queries<number | null>;
  /** At most `limit` sessions, not in `except`, with something due at `now` (epoch milliseconds), soonest first. */
  sessionsWithDue(
    owners: readonly string[] | null,
    now: number,
    limit: number,
    except: readonly SessionKey[],
  ): Queries<SessionKey[]>;
}

/** Work that the last process left open. */
export interface LeftOpen {
  /** Sessions with an open effect or an unfinished turn. */
  readonly sessions: readonly SessionKey[];
  /** After a crash: the tasks that moved last, one for each session, whose files may be outdated. */
  readonly moved: readonly (SessionKey & { readonly task_id: string })[];
  /** Recently removed sessions, whose files may still exist. */
  readonly removed: readonly SessionKey[];
  readonly callbacks: readonly CallbackLane[];
}

/** Selects sessions that are old enough to be removed. */
export interface RemovableQuery extends PageRequest {
  /** The owner; null, the default: any. */
  readonly owner?: string | null | undefined;
  /** Those without activity at or after this time, in epoch milliseconds. */
  readonly before: number;
  /** Also those with a waiting or paused task. */
  readonly includeWaiting: boolean;
}

export interface RemovableSession extends SessionKey {
  /** Its last activity, epoch milliseconds. */
  readonly last_used_at: number;
}

/** Which part of the audit is read; days are in UTC, such as 2026-11-29, and both are included. */
export interface AuditQuery {
  /** Absent: the day of the first act. */
  readonly from?: string | undefined;
  /** Absent: today. */
  readonly to?: string | undefined;
  /** Whose acts are readable; the others are there as their hashes. Null, as by default: everybody's. */
  readonly owner?: string | null | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The versions of all that acts. */
export interface Versions {
  readonly service: string;
  readonly machine: string;
  readonly model: string;
  /** The SHA-256 of each tool's description and schema, by its name. */
  readonly tools: Readonly<Record<string, string>>;
}

/** The audit of what is stored (docs/audit.md). It is read from the entries; removals leave hashes in it. */
export interface AuditStore {
  /** Day by day. Never holds a whole day in memory. */
  lines(query: AuditQuery): AsyncGenerator<AuditLine>;
  /** The hashes of a session's acts, read page by page for its removal; null: there is no such session. */
  hashesOf(session: SessionKey): Promise<ActHashes | null>;
  /** Stores the versions from `at` on, in epoch milliseconds, unless they are those stored last. */
  noteVersions(at: number, versions: Versions): Promise<void>;
  /** The last day whose root was accepted by its receiver; null: none was. */
  sentDay(): Promise<string | null>;
  markSent(day: string): Promise<void>;
}

/** The start and end of a process, and the removal of old data. */
export interface Upkeep {
  /**
   * Opens the store for this process, and finds what an owner (null: each) left open. `wasReleased`: the owner's last
   * home ended in order.
   */
  recover(owner: string | null, wasReleased?: boolean): Promise<LeftOpen>;
  ownerCounts(owner: string): Promise<OwnerCounts>;
  storedBytes(): Promise<number>;
  /** True while the last write was stored, or a trial write succeeds. */
  isWritable(): Promise<boolean>;
  /**
   * When any session was last used before a time, in epoch milliseconds; null: never. Scans all of them: for a start.
   */
  lastUsedAt(until: number): Promise<number | null>;
  /** Sessions that may be removed. A page may be shorter than its limit without being the last. Removes nothing. */
  removable(query: RemovableQuery): Promise<Page<RemovableSession>>;
  /**
   * Removes the remaining data of an owner whose sessions are removed; false: nothing was stored; null: a session is
   * left.
   */
  removeOwner(owner: string): Promise<boolean | null>;
  /** Closes, and marks the end of this process as orderly unless its start failed. */
  close(isOrderly: boolean): Promise<void>;
}

/** A session by a key that a protocol derives from a front end's messages. */
export interface RememberedConversation {
  readonly session_id: string;
  /** The idempotency key of the turn that was submitted last; for a pinned key, its text. */
  readonly request_key: string | null;
  /** Epoch milliseconds; 0: pinned. */
  readonly at: number;
}

/** The conversations of front ends without conversation ids. They belong to an owner and survive restarts. */
export interface RememberedConversations {
  /** Null for an unknown or expired key. */
  recall(owner: string, key: string): Promise<RememberedConversation | null>;
  /** Recalls and forgets it in one step, so that only one of several callers gets it. */
  take(owner: string, key: string): Promise<RememberedConversation | null>;
  /** Replaces the value of a key, and drops an owner's oldest. */
  remember(owner: string, key: string, conversation: RememberedConversation): Promise<void>;
  /** Remembers a session, and a text with it, for as long as the session exists. */
  pin(owner: string, key: string, sessionId: string, text?: string | null): Promise<void>;
}

/**
 * Where an engine stores sessions. It decides nothing: it loads images, stores the changes of decisions, and reads.
 * Every read names the owner; another owner's ids are as unknown as ids that never existed (null, or an empty list).
 * Rejects with `STORAGE_UNAVAILABLE` when the disk is at fault.
 */
export interface Store extends Sessions, Tasks, Turns, Callbacks, Upkeep {
  readonly access: AccessStore;
  readonly audit: AuditStore;
  readonly calls: KeptCalls;
  readonly due: Due;
  /** Owner data outside a session's own commit. */
  readonly ownerData: OwnerData;
  /** True for a stored session; for use within work on owner data. */
  isStored(key: SessionKey): Queries<boolean>;
  readonly conversations: RememberedConversations;
  /**
   * The key that signs texts which clients return later: 32 bytes, created at the first call. Throws if it cannot be
   * stored.
   */
  signingKey(): Buffer;
  readonly signIns: SignInStore;
}

/** The fences of the owners at home here. */
export interface Fences {
  /** The fence for an owner's commits. Throws `STORAGE_UNAVAILABLE` if this node is not the owner's home. */
  of(owner: string): number;
  /** A commit with this fence was refused: another node is the owner's home. */
  lost(owner: string, fence: number): void;
}

/** The owner of the service's own home: webhooks, retention and data without an owner. */
export const SERVICE_HOME = '';

/** A summary of a stored database, which identifies its copies. */
export interface StoreFacts {
  /** The schema's version; this build may know newer ones. */
  readonly version: number;
  readonly sessions: number;
  readonly tasks: number;
}

/** Counts of an owner's imported data. */
export interface Imported {
  readonly owner: string;
  readonly sessions: number;
  readonly tasks: number;
  /** Since when every caller needs a key. */
  readonly hasKeys: boolean;
  /** Files that only PostgreSQL stores: they were left out. */
  readonly filesLeft: number;
}

/** An operator's work on the stored data, for all owners, without a service. Each call throws `STORE_TOO_NEW`. */
export interface Admin {
  /** The database's size. Throws `NOT_FOUND` if there is none. */
  bytes(): Promise<number>;
  /**
   * Removes old sessions with nothing open, and frees the disk space. A dry run only reads, also beside a service.
   * Throws `DATA_DIR_LOCKED`.
   */
  prune(
    options: Pick<RemovableQuery, 'owner' | 'before' | 'includeWaiting'> & { readonly isDryRun: boolean },
  ): AsyncGenerator<RemovableSession>;
  /** Reads the audit, also beside a service. Changes nothing. */
  audit(query: Omit<AuditQuery, 'now'>): AsyncGenerator<AuditLine>;
  /**
   * Opens the keys and quotas, also beside a service, where changes take effect at once. Creates a missing database.
   */
  openAccess(): Promise<AccessStore & { close(): Promise<void> }>;
  /**
   * Exports everything stored for an owner as lines of JSON. Throws `NOT_FOUND`, `INVALID_REQUEST` if a crash
   * interrupted work, and `DATA_DIR_LOCKED` while a service may serve the owner.
   */
  exportOwner(owner: string): AsyncGenerator<string>;
  /**
   * Stores everything of the owner in a file of `exportOwner`, or nothing. Throws `INVALID_REQUEST` if the owner is
   * known, and for a file that was changed or truncated.
   */
  importOwner(file: Buffer): Promise<Imported>;
  /**
   * Copies the database into a new file, also while a service runs on it. The file appears complete and checked;
   * nothing is overwritten.
   */
  backUp(file: string): Promise<StoreFacts>;
  /** Makes a backup the database. `kept`: where the previous one is. */
  restore(file: string, how: { readonly force: boolean }): Promise<StoreFacts & { readonly kept: string | null }>;
}
