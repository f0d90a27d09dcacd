import type { Quota, QuotaChange, Role } from '../../contracts/access.ts';
import type { UsageDay } from '../../contracts/usage.ts';
import type { Page, PageRequest } from '../lib/page.ts';

/** Whom a request speaks for, and what it may do. */
export interface Caller {
  readonly owner: string;
  readonly role: Role;
}

/** A key as it is stored: by its hash, for the key itself is stored nowhere. Times in epoch milliseconds. */
export interface StoredKey extends Caller {
  readonly id: string;
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  /** To the hour; null: never used. */
  readonly last_used_at: number | null;
}

/** The keys that are stored. What another process adds or revokes counts at once. */
export interface AccessKeys {
  /** True once a key was ever added, also where all were revoked since: what needed a key once is never open to all again. */
  wereAdded(): boolean;
  /** The key of that hash, expired or not; null: there is none. */
  find(hash: string): Promise<StoredKey | null>;
  add(key: StoredKey): Promise<void>;
  list(page: PageRequest): Promise<Page<StoredKey>>;
  /** Removes a key for good; false: there is none of that id. */
  revoke(id: string): Promise<boolean>;
  markUsed(key: Pick<StoredKey, 'id' | 'owner'>, at: number): Promise<void>;
}

/** Quotas of owners. A change by another process counts at once. */
export interface OwnerQuotas {
  /** An owner's quota; null: it may use any number of everything. */
  of(owner: string): Promise<Quota | null>;
  /** Changes an owner's quota and gives it as it then is. A statement of `saidAt`, epoch milliseconds, before the last change changes nothing. */
  set(owner: string, change: QuotaChange, now: number, saidAt?: number): Promise<Quota>;
}

export interface AccessStore {
  readonly keys: AccessKeys;
  readonly quotas: OwnerQuotas;
  /** Owners of whom anything is stored and who are users of a front end, by name. A page may have fewer than its limit, and not be the last one. */
  users(page: PageRequest): Promise<Page<string>>;
  /** An owner's usage on the day of `at`, UTC, epoch milliseconds. */
  usedOn(owner: string, at: number): Promise<UsageDay>;
  usedByDay(owner: string, page: PageRequest): Promise<Page<UsageDay>>;
}

export interface AccessControl {
  /** True where callers must show who they are. Once true it stays true. */
  isRequired(): boolean;
  /** Whom what the caller shows stands for; null: for nobody, or nobody any more. Rejects where that can't be found out. */
  identify(shown: string): Promise<Caller | null>;
}
