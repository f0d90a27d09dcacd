import type { TraceEntry } from '../../contracts/trace.ts';
import type { AccessStore } from '../access/port.ts';
import type { RemovableSession } from '../store/port.ts';
import type { Engine, PruneOptions } from './port.ts';

/** A task's or a whole session's trace, as it is stored. */
export interface StoredTrace {
  readonly owner: string;
  /** Entries with a greater seq, in order, a page at a time; never in memory whole. */
  entries(after: number): AsyncIterable<TraceEntry>;
  /** A number that changes when something was stored since: until then there are no new entries. */
  version(): Promise<number>;
  close(): Promise<void>;
}

/** An owner's sessions and tasks, as they are stored. */
export interface StoredLists {
  readonly owner: string;
  readonly reads: Pick<Engine, 'sessions' | 'tasks' | 'waiting' | 'callbacks'>;
  close(): Promise<void>;
}

/** Which sessions are removed, or only found. */
export interface AdminPruneOptions extends PruneOptions {
  /** Finds them and removes nothing. */
  isDryRun: boolean;
}

/** What pruning came to; sizes of the database in bytes. */
export interface PruneResult {
  sessions: number;
  bytesBefore: number;
  bytesAfter: number;
}

/** A summary of a stored database, to identify a copy by. */
export interface StoreFacts {
  /** Of its schema; this Tripact may know newer ones. */
  version: number;
  sessions: number;
  tasks: number;
}

export interface RestoreResult extends StoreFacts {
  /** Where the database that was there is kept; null when there was none. */
  kept: string | null;
}

/**
 * What an operator does with the stored data of one data folder, beside the service and not through it: it sees all owners. Each
 * throws `NOT_FOUND` where there is no database and `STORE_TOO_NEW` for a newer version's.
 */
export interface Admin {
  /**
   * Opens the trace of the task of that id, else of the session of that name, whether or not a service runs on the data. It takes
   * no lock and changes nothing. `INVALID_REQUEST` where several owners have such a session and `owner` does not say which.
   */
  openTrace(id: string, owner: string | undefined): Promise<StoredTrace>;
  /**
   * Opens the lists of an owner's sessions and tasks in the same way; where `owner` is undefined, of the only one that there is, or of
   * `otherwise` where nobody has a session. `INVALID_REQUEST` where several owners have sessions.
   */
  openLists(owner: string | undefined, otherwise: string): Promise<StoredLists>;
  /**
   * Removes old sessions with their folders, and returns the space to the disk; `onRemoved` is called for each once it is removed. Those
   * with anything open stay; todos and schedules stay, for they are the owner's. `DATA_DIR_LOCKED` while a service uses the data; a
   * dry run only reads, and works beside one.
   */
  prune(options: AdminPruneOptions, onRemoved: (session: RemovableSession) => void): Promise<PruneResult>;
  /** Copies the database into a new file, also while a service runs on it. The file appears whole and checked; it never overwrites. */
  backUp(file: string): Promise<StoreFacts>;
  /**
   * Opens the keys and quotas of a data folder, also while a service runs on it: what is added or revoked here counts there at once. Makes the
   * database where there is none. `DATA_DIR_LOCKED` where a service of another version runs on it.
   */
  openAccess(): Promise<AccessStore & { close(): Promise<void> }>;
  /**
   * Makes a backup the database. It is checked first, and nothing is changed when it is broken, when a service uses the data
   * (`DATA_DIR_LOCKED`), or when a database is there and `force` is not given; with it, the old one is kept beside.
   */
  restore(file: string, options: { force: boolean }): Promise<RestoreResult>;
}
