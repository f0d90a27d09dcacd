import type { AccessStore } from '../access/port.ts';
import type { PruneOptions } from '../engine/port.ts';
import type { RemovableSession } from './port.ts';

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
