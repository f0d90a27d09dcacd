import type { TaskOutcome } from '../../contracts/answer.ts';
import type { CallbackState } from '../../contracts/callback.ts';
import type { SessionView, WaitingState } from '../../contracts/http.ts';
import type { SessionQuery } from '../../contracts/sessions.ts';
import type { TaskState } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { AccessStore } from '../access/port.ts';
import type { CallStore } from '../engine/calls/call-store.ts';
import type { Decision } from '../engine/change.ts';
import type {
  CallbackKey,
  CallbackLane,
  CallbackResult,
  ListedCallback,
  PendingCallback,
} from '../engine/outbox/message.ts';
import type { OwnerCounts } from '../engine/owner-counts.ts';
import type { LoadedTask, SessionImage, SessionKey } from '../engine/session-image.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { Asking, OwnerData } from './questions.ts';
import type { createFileStore } from './sql/session-files.ts';

/** Where the files of sessions are stored, of which the nodes have copies. Rejects with `STORAGE_UNAVAILABLE`. */
export type FileStore = ReturnType<typeof createFileStore>;

/** A stored turn: as the API shows it, and a hash of what it asked for, where it came with an idempotency key. */
export interface StoredTurn {
  readonly turn: TurnView;
  readonly body_hash: string | null;
}

/** A task as it is listed: its view once it is settled, null while it runs. */
export interface ListedTask {
  readonly task_id: string;
  readonly view: TaskView | null;
}

export interface TaskCount {
  readonly state: TaskState | 'running';
  readonly outcome: TaskOutcome | null;
  readonly count: number;
}

export interface ListedWaiting extends SessionKey, ListedTask {
  readonly question: string | null;
  /** Epoch milliseconds. */
  readonly waiting_since: number;
  /** When the question expires, epoch milliseconds; null: never. */
  readonly expires_at: number | null;
}

/** A session as it is listed: without what only its image knows. */
export interface ListedSession extends Omit<SessionView, 'active_task' | 'last_task' | 'phase'> {
  /** The task that runs or waits for the user. */
  readonly active: ListedTask | null;
  /** The last task, whose state may be older than it is where it runs. */
  readonly last: SessionView['last_task'];
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

export interface FoundTask extends SessionKey, ListedTask {
  /** The session's, IANA. */
  readonly timezone: string;
  readonly state: TaskState | 'running';
}

/** Work that the last process left. */
export interface LeftOpen {
  /** Sessions with an open effect or an unfinished turn. */
  readonly sessions: readonly SessionKey[];
  /** After a crash: the tasks that moved last, one a session, whose files may be behind. */
  readonly moved: readonly (SessionKey & { readonly task_id: string })[];
  /** Sessions that were removed last, whose files may still be there. */
  readonly removed: readonly SessionKey[];
  readonly owners: ReadonlyMap<string, OwnerCounts>;
  readonly callbacks: readonly CallbackLane[];
}

/** Some entries of a trace, in order: at most as many as were asked for, and fewer where they are long. */
export interface EntriesPage {
  readonly entries: readonly TraceEntry[];
  readonly isEnd: boolean;
}

/** The session has changed since its image was loaded; nothing was stored. It is to be loaded and decided again. */
export class StaleImage extends Error {
  override name = 'StaleImage';
}

/**
 * Where an engine keeps sessions. It decides nothing: it loads images, stores the changes of decisions, and reads. Every read
 * names the owner; another owner's ids are as unknown as ids that never were (null, or an empty list). Rejects with
 * `STORAGE_UNAVAILABLE` when the disk is at fault.
 */
export interface SessionStore {
  /** Owner data outside a session's own commit. */
  readonly ownerData: OwnerData;
  /** The session, or the image of a new one that is not stored. `timezone` is a new session's. */
  load(key: SessionKey, timezone: string, now: number): Promise<SessionImage>;
  /**
   * One transaction: makes the decision, answers its questions, and stores its changes, or nothing. Rejects with what the
   * decision throws, with `StaleImage`, or with the store's fault. The decision may be made more than once.
   */
  commit(image: SessionImage, decide: () => Asking<Decision>): Promise<Decision>;

  turn(owner: string, by: 'id' | 'key', value: string): Promise<StoredTurn | null>;
  /** An owner's sessions, most recently used first; a page of those that match may have fewer than its limit, and not be the last one. */
  sessions(owner: string, page: PageRequest, query?: SessionQuery): Promise<Page<ListedSession>>;
  /** Names a session; null: by its first input again. False where there is none. */
  rename(key: SessionKey, title: string | null): Promise<boolean>;
  session(key: SessionKey): Promise<ListedSession | null>;
  countTasks(owner: string, sessionId: string | null): Promise<TaskCount[]>;
  /** A session's tasks in the order in which they were opened. */
  tasks(key: SessionKey, page: PageRequest): Promise<Page<ListedTask>>;
  /** A session's turns, newest first. */
  turns(key: SessionKey, page: PageRequest): Promise<Page<TurnView>>;
  /** An owner's tasks in these states, over all sessions, those that wait longest first. */
  waiting(owner: string, states: readonly WaitingState[], page: PageRequest): Promise<Page<ListedWaiting>>;
  /** `owner` null: any owner. */
  task(owner: string | null, taskId: string): Promise<FoundTask | null>;
  loadTask(key: SessionKey, taskId: string): Promise<LoadedTask | null>;
  /** Entries of a session, or of one of its tasks alone, with a greater seq, in order, at most `limit`. */
  entries(key: SessionKey, taskId: string | null, after: number, limit: number): Promise<EntriesPage>;
}

/** Upkeep of a store beside the work of its sessions: its start and end, the outbox, and the removal of old rows. */
export interface Upkeep {
  /** Opens the store for this process, and finds what an owner (null: each) left open. `wasReleased`: the owner's last home ended in order. */
  recover(owner: string | null, wasReleased?: boolean): Promise<LeftOpen>;
  storedBytes(): Promise<number>;
  /** When any session was last used up to `until`, in epoch milliseconds as that is; null where none was. Goes through all of them: for a start. */
  lastUsedAt(until: number): Promise<number | null>;
  /** Removes what is left of an owner whose sessions are removed; false where nothing was stored, null where a session is left. */
  removeOwner(owner: string): Promise<boolean | null>;
  /** Sessions that may be removed; a page may have fewer than its limit, and not be the last one. */
  removable(query: RemovableQuery): Promise<Page<RemovableSession>>;

  /** A reader's oldest callback that is due at `now` and not among `open`, else when the next one is due; null where there is none. */
  nextCallback(reader: string, now: number, open: readonly string[]): Promise<PendingCallback | number | null>;
  /** Stores what came of a post; false where the callback was not pending any more. */
  settleCallback(callback: CallbackKey, result: CallbackResult, now: number): Promise<boolean>;
  callbacks(
    readers: readonly string[],
    states: readonly CallbackState[],
    page: PageRequest,
  ): Promise<Page<ListedCallback>>;
  /** One of the readers' callbacks; null where they have none of that id. */
  callback(readers: readonly string[], id: string): Promise<ListedCallback | null>;
  /** Makes a callback due at `now`, whatever state it is in; true where it had ended. */
  resendCallback(callback: CallbackKey, now: number): Promise<boolean>;
  /** True while the last write could be stored, or a trial write can be. */
  isWritable(): Promise<boolean>;
  /** Closes, and marks the end of this process as orderly, unless it is that of a start that failed. */
  close(isOrderly: boolean): Promise<void>;
}

export interface Store extends SessionStore, Upkeep {
  readonly calls: CallStore;
  readonly access: AccessStore;
  /** The key that signs the texts that clients give back later: 32 bytes, made when it is first asked for. Throws where it can't be stored. */
  signingKey(): Buffer;
}
