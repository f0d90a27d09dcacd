import type { TaskOutcome } from '../../contracts/answer.ts';
import type { CallbackState } from '../../contracts/callback.ts';
import type { SessionView, WaitingState, WaitingTask } from '../../contracts/http.ts';
import type { SessionQuery } from '../../contracts/sessions.ts';
import type { TaskState } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { AccessStore } from '../access/port.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { Asking, OwnerData } from '../lib/questions.ts';
import type { Decision } from '../session/change.ts';
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
import type { CallQuery, KeptCall, ListedCall } from './call-body.ts';

/** The session has changed since its image was loaded; nothing was stored. It is to be loaded and decided again. */
export class StaleImage extends Error {
  override name = 'StaleImage';
}

/** Another turn of the owner has the idempotency key; nothing was stored. */
export class KeyTaken extends Error {
  override name = 'KeyTaken';
}

/** A session as it is listed: without what only its image knows. */
export interface ListedSession extends Omit<SessionView, 'active_task' | 'last_task' | 'phase'> {
  /** The task that runs or waits for the user. */
  readonly active: ListedTask | null;
  /** The last task, whose state may be older than it is where it runs. */
  readonly last: SessionView['last_task'];
}

/** The sessions of owners: each is loaded, changed by decisions, and read. */
export interface Sessions {
  /** The session, or the image of a new one that is not stored. `timezone` is a new session's. */
  load(key: SessionKey, timezone: string, now: number): Promise<SessionImage>;
  /**
   * One transaction: makes the decision, answers its questions, and stores its changes, or nothing. Rejects with what the
   * decision throws, with `StaleImage` or `KeyTaken`, or with the store's fault. The decision may be made more than once.
   */
  commit(image: SessionImage, decide: () => Asking<Decision>): Promise<Decision>;
  /** The answers to questions that decisions ask in their commit. */
  readonly facts: StoredFacts;
  /** Most recently used first. */
  sessions(owner: string, page: PageRequest, query?: SessionQuery): Promise<Page<ListedSession>>;
  session(key: SessionKey): Promise<ListedSession | null>;
  /** Names a session; null: by its first input again. False where there is none. */
  rename(key: SessionKey, title: string | null): Promise<boolean>;
  /** Entries of a session, or of one of its tasks alone, with a greater seq, in order, at most `limit`. */
  entries(key: SessionKey, taskId: string | null, after: number, limit: number): Promise<TraceEntry[]>;
}

/** A task as it is listed: its view once it is settled, null while it runs. */
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

/** An owner's tasks that are listed by when they last moved: of one session, one of them, of these states and outcomes, moved since. */
export interface MovedQuery {
  readonly session_id?: string | undefined;
  readonly task_id?: string | undefined;
  readonly kinds?: readonly Pick<TaskCount, 'state' | 'outcome'>[] | undefined;
  /** Epoch milliseconds. */
  readonly since?: number | undefined;
}

/** When a task was last opened, resumed or settled. */
export interface ListedMoved extends ListedTask {
  readonly session_id: string;
  readonly moved_at: string;
}

/** The tasks of sessions. */
export interface Tasks {
  /** A task folded from what is stored of it. */
  loadTask(key: SessionKey, taskId: string): Promise<LoadedTask | null>;
  /** `owner` null: of any owner. */
  task(owner: string | null, taskId: string): Promise<FoundTask | null>;
  /** A session's tasks in the order in which they were opened. */
  tasks(key: SessionKey, page: PageRequest): Promise<Page<ListedTask>>;
  /** An owner's tasks by state and outcome; `sessionId` null: of all sessions. */
  countTasks(owner: string, sessionId: string | null): Promise<TaskCount[]>;
  /** An owner's tasks in these states, those that wait longest first. */
  waiting(owner: string, states: readonly WaitingState[], page: PageRequest): Promise<Page<ListedWaiting>>;
  /** An owner's tasks, those that moved last first, and how many there are on all pages. */
  moved(owner: string, query: MovedQuery, page: PageRequest): Promise<Page<ListedMoved> & { total: number }>;
}

export interface StoredTurn {
  readonly turn: TurnView;
  readonly body_hash: string | null;
}

/** The turns of sessions. */
export interface Turns {
  /** A turn by its id, or by the idempotency key under which it was submitted. */
  turn(owner: string, by: 'id' | 'key', value: string): Promise<StoredTurn | null>;
  /** A session's turns, newest first. */
  turns(key: SessionKey, page: PageRequest): Promise<Page<TurnView>>;
}

/** The messages to programs outside, until they are posted. */
export interface Callbacks {
  /** A reader's oldest callback that is due and not among `open`; else when the next one is due, or null. */
  nextCallback(reader: string, now: number, open: readonly string[]): Promise<PendingCallback | number | null>;
  callbacks(
    readers: readonly string[],
    states: readonly CallbackState[],
    page: PageRequest,
  ): Promise<Page<ListedCallback>>;
  callback(readers: readonly string[], id: string): Promise<ListedCallback | null>;
  /** Stores the outcome of a post; false where the callback was not pending any more. */
  settleCallback(callback: CallbackKey, result: CallbackResult, now: number): Promise<boolean>;
  /** Makes a callback due at `now`, whatever state it is in. */
  resendCallback(callback: CallbackKey, now: number): Promise<void>;
  /** Callbacks to be posted, and unfinished turns that will have one, of these readers; null: of all, the service's webhook too. */
  pendingCallbacks(readers: readonly string[] | null): Promise<number>;
}

/** Model calls, beside the sessions: whatever becomes of them, no session is stored otherwise. */
export interface KeptCalls {
  /** Stores calls, and removes an owner's oldest beyond `kept`; a crash may lose them. False where the database has no room, and nothing was stored. */
  add(calls: readonly KeptCall[], kept: number): Promise<boolean>;
  /** A task's calls in the order in which they ended. */
  list(query: CallQuery): Promise<Page<ListedCall>>;
  /** Removes calls that were made before a time, of the `limit` oldest; how many. */
  forget(before: number, limit: number): Promise<number>;
  count(owner: string): Promise<number>;
}

/** The times at which something comes due: a reminder, a goal, a question that expires. A session takes what is due in it. */
export interface Due {
  /** The soonest of them, epoch milliseconds, of these owners (null: of all) but for the sessions `except`; null when there is none. */
  nextDue(owners: readonly string[] | null, except: readonly SessionKey[]): Asking<number | null>;
  /** At most `limit` sessions but for `except` in which something is due at `now` (epoch milliseconds), the one with the soonest first. */
  sessionsWithDue(
    owners: readonly string[] | null,
    now: number,
    limit: number,
    except: readonly SessionKey[],
  ): Asking<SessionKey[]>;
}

/** Work that the last process left. */
export interface LeftOpen {
  /** Sessions with an open effect or an unfinished turn. */
  readonly sessions: readonly SessionKey[];
  /** After a crash: the tasks that moved last, one a session, whose files may be behind. */
  readonly moved: readonly (SessionKey & { readonly task_id: string })[];
  /** Sessions that were removed last, whose files may still be there. */
  readonly removed: readonly SessionKey[];
  readonly callbacks: readonly CallbackLane[];
}

/** Which sessions are old enough to be removed. */
export interface RemovableQuery extends PageRequest {
  /** Whose; null, as by default: anybody's. */
  readonly owner?: string | null | undefined;
  /** Those with no activity at or after this time, epoch milliseconds. */
  readonly before: number;
  /** Also those with a task that waits for its user or is paused. */
  readonly includeWaiting: boolean;
}

export interface RemovableSession extends SessionKey {
  /** Its last activity, epoch milliseconds. */
  readonly last_used_at: number;
}

/** The start and the end of a process, and the removal of what is old. */
export interface Upkeep {
  /** Opens the store for this process, and finds what an owner (null: each) left open. `wasReleased`: the owner's last home ended in order. */
  recover(owner: string | null, wasReleased?: boolean): Promise<LeftOpen>;
  ownerCounts(owner: string): Promise<OwnerCounts>;
  storedBytes(): Promise<number>;
  /** True while the last write could be stored, or a trial write can be. */
  isWritable(): Promise<boolean>;
  /** When any session was last used up to a time, in epoch milliseconds; null where none was. Goes through all of them: for a start. */
  lastUsedAt(until: number): Promise<number | null>;
  /** Sessions that may be removed; a page may have fewer than its limit, and not be the last one. Removes nothing. */
  removable(query: RemovableQuery): Promise<Page<RemovableSession>>;
  /** Removes what is left of an owner whose sessions are removed; false where nothing was stored, null where a session is left. */
  removeOwner(owner: string): Promise<boolean | null>;
  /** Closes, and marks the end of this process as orderly, unless it is that of a start that failed. */
  close(isOrderly: boolean): Promise<void>;
}

/** A session by a key that a protocol makes of what a front end sends. */
export interface RememberedConversation {
  readonly session_id: string;
  /** The idempotency key of the turn that was submitted last; for a pinned key, its text. */
  readonly request_key: string | null;
  /** Epoch milliseconds; 0: pinned. */
  readonly at: number;
}

/** The conversations of front ends that send no conversation id. They belong to an owner and outlive the process. */
export interface RememberedConversations {
  /** Null for an unknown or expired key. */
  recall(owner: string, key: string): Promise<RememberedConversation | null>;
  /** Recalls and forgets it in one step, so that only one of several callers gets it. */
  take(owner: string, key: string): Promise<RememberedConversation | null>;
  /** Replaces what the key stood for; an owner's oldest are dropped. */
  remember(owner: string, key: string, conversation: RememberedConversation): Promise<void>;
  /** Remembers a session, and a text with it, as long as the session is there, whatever comes after it. */
  pin(owner: string, key: string, sessionId: string, text?: string | null): Promise<void>;
}

/**
 * Where an engine keeps sessions. It decides nothing: it loads images, stores the changes of decisions, and reads. Every read
 * names the owner; another owner's ids are as unknown as ids that never were (null, or an empty list). Rejects with
 * `STORAGE_UNAVAILABLE` when the disk is at fault.
 */
export interface Store extends Sessions, Tasks, Turns, Callbacks, Upkeep {
  readonly access: AccessStore;
  readonly calls: KeptCalls;
  readonly due: Due;
  /** Owner data outside a session's own commit. */
  readonly ownerData: OwnerData;
  /** True for a session that is stored; to be asked inside work on owner data. */
  isStored(key: SessionKey): Asking<boolean>;
  readonly conversations: RememberedConversations;
  /** The key that signs the texts that clients give back later: 32 bytes, made when it is first asked for. Throws where it can't be stored. */
  signingKey(): Buffer;
}

/** The fences of the owners that are at home here. */
export interface Fences {
  /** The fence that an owner's commits name. Throws `STORAGE_UNAVAILABLE` where this node is not its home. */
  of(owner: string): number;
  /** A commit under this fence was refused: another node is the owner's home. */
  lost(owner: string, fence: number): void;
}

/** The owner of the service's own home: webhooks, retention and what belongs to nobody. */
export const SERVICE_HOME = '';

/** A summary of a stored database, to identify a copy by. */
export interface StoreFacts {
  /** Of its schema; this Tripact may know newer ones. */
  readonly version: number;
  readonly sessions: number;
  readonly tasks: number;
}

/** The counts of what was imported of an owner. */
export interface Imported {
  readonly owner: string;
  readonly sessions: number;
  readonly tasks: number;
  /** Since when every caller needs one. */
  readonly hasKeys: boolean;
  /** Files that only PostgreSQL stores: they were left out. */
  readonly filesLeft: number;
}

/** The work of an operator on what is stored, for all owners, without a service. Each call throws `STORE_TOO_NEW`. */
export interface Admin {
  /** The database's size. Throws `NOT_FOUND` where there is none. */
  bytes(): Promise<number>;
  /** Removes old sessions with nothing open, and returns the space to the disk; a dry run only reads, beside a service too. Throws `DATA_DIR_LOCKED`. */
  prune(
    options: Pick<RemovableQuery, 'owner' | 'before' | 'includeWaiting'> & { readonly isDryRun: boolean },
  ): AsyncGenerator<RemovableSession>;
  /** Opens the keys and quotas, also beside a service, where changes count at once. Makes the database where there is none. */
  openAccess(): Promise<AccessStore & { close(): Promise<void> }>;
  /** Reads all that is stored of an owner as lines of JSON. Throws `NOT_FOUND`, `INVALID_REQUEST` where a crash cut work off, and `DATA_DIR_LOCKED` while a service may serve it. */
  exportOwner(owner: string): AsyncGenerator<string>;
  /** Stores all of the owner that a file of `exportOwner` has, or nothing. Throws `INVALID_REQUEST` where the owner is known, and for a file that was changed or is cut. */
  importOwner(file: Buffer): Promise<Imported>;
  /** Copies the database into a new file, also while a service runs on it. The file appears whole and checked; it never overwrites. */
  backUp(file: string): Promise<StoreFacts>;
  /** Makes a backup the database. `kept`: where the one that was there is. */
  restore(file: string, how: { readonly force: boolean }): Promise<StoreFacts & { readonly kept: string | null }>;
}
