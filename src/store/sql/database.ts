import type { Queries } from '../../lib/queries.ts';
import type { CallsToAdd } from './usage.ts';

/** Work that writes. The calls that it adds are stored at the end of its transaction. */
export type Write<Result> = (calls: CallsToAdd) => Queries<Result>;

/** How a write relates to others of its owner: alone, since it decides by its reads, or beside them. */
export type WriteHow = 'alone' | 'beside';

/** The same for a commit; `at once`: it needs no rows, so its statements can be combined. */
export type CommitHow = WriteHow | 'at once';

/**
 * Runs the store's statements. Rejects with `STORAGE_UNAVAILABLE`, with `SHUTTING_DOWN` once it is closed, and with
 * what the work throws.
 */
export interface SqlDatabase {
  /** Reads. Each query may see a later state than the one before. */
  read<Result>(work: () => Queries<Result>): Promise<Result>;
  /**
   * One durable transaction, perhaps run more than once, for `owner`'s data (null: the service's, or several owners').
   * Rejects with `StaleImage` for a taken seq, and with `KeyTaken`.
   */
  write<Result>(owner: string | null, work: Write<Result>, how?: WriteHow): Promise<Result>;
  /**
   * The same for a short work, combined with other ready ones into one transaction. A refused one does not affect the
   * others.
   */
  commit<Result>(owner: string, work: Write<Result>, how: CommitHow): Promise<Result>;
  newSessionId(): Promise<number>;
  /**
   * True once anything was stored in `meta` under this key. Never becomes false again, and never throws: true if it
   * cannot be read.
   */
  isMarked(key: string): boolean;
  /** Reports that this process has stored something under the key. */
  marked(key: string): void;
  /** The key that signs texts which clients return later. Created at the first call. */
  signingKey(): Buffer;
  /** Bytes of all stored data, and the limit. */
  size(): Promise<{ used: number; max: number }>;
  /** True while the last write was stored, or a trial write succeeds. */
  isWritable(): Promise<boolean>;
  /** Writes that wait for a connection, if they need one. */
  waiting?(): number;
  close(): Promise<void>;
}
