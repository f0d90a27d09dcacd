import type { Asking } from '../../lib/questions.ts';
import type { CallsToAdd } from './usage.ts';

/** Work that writes; the calls that it adds are stored at the end of its transaction. */
export type Write<Result> = (calls: CallsToAdd) => Asking<Result>;

/** How a write stands to others of its owner: alone, for it decides by what it reads; or beside them. */
export type WriteHow = 'alone' | 'beside';

/** The same of a commit; `at once`: it asks nothing, and its statements can be one. */
export type CommitHow = WriteHow | 'at once';

/** Answers the store's questions. Rejects with `STORAGE_UNAVAILABLE`, `SHUTTING_DOWN` once it is closed, and what the work throws. */
export interface SqlDatabase {
  /** Reads; each question may see a later state than the one before. */
  read<Result>(work: () => Asking<Result>): Promise<Result>;
  /** One durable transaction, perhaps run more than once, for `owner`'s data (null: the service's or many). Rejects with `StaleImage` for a seq that is taken, and with `KeyTaken`. */
  write<Result>(owner: string | null, work: Write<Result>, how?: WriteHow): Promise<Result>;
  /** The same for a short work, together with others that are ready: one transaction for all. One that is refused refuses no other. */
  commit<Result>(owner: string, work: Write<Result>, how: CommitHow): Promise<Result>;
  newSessionId(): Promise<number>;
  /** True once something was stored in `meta` under this key. It never goes back, and never throws: true where that can't be read. */
  isMarked(key: string): boolean;
  /** Says that this process has stored something under the key. */
  marked(key: string): void;
  /** The key that signs the texts that clients give back later; made when it is first asked for. */
  signingKey(): Buffer;
  /** Bytes of all that is stored, and how many there may be. */
  size(): Promise<{ used: number; max: number }>;
  /** True while the last write could be stored, or a trial write can be. */
  isWritable(): Promise<boolean>;
  /** Writes that wait for a connection, where they need one. */
  waiting?(): number;
  close(): Promise<void>;
}
