import type { Quota, QuotaChange, Role } from '../../contracts/access.ts';
import type { CallUsage, ListedUsageDay, UsageDay } from '../../contracts/usage.ts';
import type { Page, PageRequest } from '../lib/page.ts';

/** Whose data a request works with, and its rights. */
export interface Caller {
  readonly owner: string;
  readonly role: Role;
  /** Names of the roles by which they may approve. Never `operator`: an operator is no approver unless named. */
  readonly roles: readonly string[];
  /** The id of the stored key that was used. */
  readonly key_id?: string;
  /** The subject of the token that was used, hashed if it is not a valid owner name. */
  readonly subject?: string;
}

/** A stored key, identified by its hash: the key itself is stored nowhere. Times in epoch milliseconds. */
export interface StoredKey extends Pick<Caller, 'owner' | 'role' | 'roles'> {
  readonly id: string;
  /** SHA-256 of the key, in hex. */
  readonly hash: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  /** Rounded to the hour; null: never used. */
  readonly last_used_at: number | null;
}

/** The stored keys. Changes by another process take effect at once. */
export interface AccessKeys {
  /** True once any key was added, even if all were revoked: a protected service never becomes open again. */
  wereAdded(): boolean;
  /** The key with that hash, expired or not; null: none. */
  find(hash: string): Promise<StoredKey | null>;
  add(key: StoredKey): Promise<void>;
  list(page: PageRequest): Promise<Page<StoredKey>>;
  /** Removes a key permanently; false: no key has that id. */
  revoke(id: string): Promise<boolean>;
  markUsed(key: Pick<StoredKey, 'id' | 'owner'>, at: number): Promise<void>;
}

/** Quotas of owners. Changes by another process take effect at once. */
export interface OwnerQuotas {
  /** An owner's quota; null: unlimited. */
  of(owner: string): Promise<Quota | null>;
  /**
   * Changes an owner's quota and returns the result. A statement made at `saidAt`, epoch milliseconds, before the last
   * change is ignored.
   */
  set(owner: string, change: QuotaChange, now: number, saidAt?: number): Promise<Quota>;
}

export interface AccessStore {
  readonly keys: AccessKeys;
  readonly quotas: OwnerQuotas;
  /**
   * Users of front ends for whom anything is stored, by name. A page may be shorter than its limit without being the
   * last.
   */
  users(page: PageRequest): Promise<Page<string>>;
  /** An owner's usage on the UTC day of `at`, epoch milliseconds. */
  usedOn(owner: string, at: number): Promise<UsageDay>;
  usedByDay(owner: string, page: PageRequest): Promise<Page<ListedUsageDay>>;
  /** Counts a model call that no stored task made in the owner's usage of its day. Epoch milliseconds. */
  countCall(owner: string, at: number, usage: CallUsage): Promise<void>;
}

export interface AccessControl {
  /** True if callers must authenticate. Once true it stays true. */
  isRequired(): boolean;
  /** The caller for the given credentials; null: none, or no longer valid. Rejects if that cannot be determined. */
  identify(shown: string): Promise<Caller | null>;
}

/** A file of a session of an owner. */
export interface LinkedFile {
  readonly owner: string;
  readonly session_id: string;
  /** Its path in the session's folder. */
  readonly path: string;
}

/** Links by which a browser gets one file without a key, for some days. */
export interface FileLinks {
  linkTo(file: LinkedFile): string;
  /** The file of a link, by the last part of its path; null: it has expired, or this service made no such link. */
  fileOf(link: string): LinkedFile | null;
}
