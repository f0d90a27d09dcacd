import type { TaskOutcome } from '../../contracts/answer.ts';
import type { SessionView, WaitingTask } from '../../contracts/http.ts';
import type { TaskState } from '../../contracts/task.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { CallbackLane } from '../engine/outbox/message.ts';
import type { OwnerCounts } from '../engine/owner-counts.ts';
import type { SessionKey } from '../engine/session-image.ts';
import type { PageRequest } from '../lib/page.ts';
import type { createFileStore } from './sql/session-files.ts';
import type { createStore } from './sql/store.ts';

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

export type ListedWaiting = Omit<WaitingTask, 'task'> & ListedTask;

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

/** The session has changed since its image was loaded; nothing was stored. It is to be loaded and decided again. */
export class StaleImage extends Error {
  override name = 'StaleImage';
}

/**
 * Where an engine keeps sessions. It decides nothing: it loads images, stores the changes of decisions, and reads. Every read
 * names the owner; another owner's ids are as unknown as ids that never were (null, or an empty list). Rejects with
 * `STORAGE_UNAVAILABLE` when the disk is at fault.
 */
export type Store = ReturnType<typeof createStore>;
