import type { Page } from '../../lib/page.ts';
import type { CallFacts, WrittenBody } from './call-body.ts';

/** A kept model call without its texts. */
export interface ListedCall extends CallFacts {
  readonly effect_id: string;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
}

/** A model call as it is kept: what is known of it, and its compressed texts. */
export interface KeptCall extends ListedCall, WrittenBody {
  readonly task_id: string;
}

/** Which calls of a task are read. */
export interface CallQuery {
  readonly owner: string;
  readonly task_id: string;
  /** Only those for this effect. */
  readonly effect_id?: string;
  readonly limit: number;
  readonly after: string | null;
}

/** Where model calls are kept, beside the sessions: whatever becomes of them, no session is stored otherwise. */
export interface CallStore {
  /**
   * Stores calls, those of a task that is gone left out, and removes an owner's oldest beyond `keptMax`. It waits for no disk, so a
   * crash of the machine may lose them. False where the database has no room to spare, and nothing was stored.
   */
  add(calls: readonly KeptCall[], keptMax: number): Promise<boolean>;
  /** A task's calls in the order in which they ended, without their texts. */
  list(query: CallQuery): Promise<Page<ListedCall & { readonly cursor: string }>>;
  /** The texts of one of them, `system` as it is kept once for many; null where it was removed meanwhile. */
  body(cursor: string): Promise<{ body: Uint8Array; system: Uint8Array | null } | null>;
  /**
   * Removes calls that were made before a time, the oldest first and at most `limit`; how many there were. Of those that were made while the clock was ahead of `now`
   * the age is not known: they go when they are the oldest.
   */
  forget(before: number, now: number, limit: number): Promise<number>;
  /** How many calls of an owner are kept. */
  count(owner: string): Promise<number>;
}
