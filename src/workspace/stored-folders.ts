import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../lib/errors.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { workspacePath } from './folder.ts';
import { FolderCopy, type FolderCopyParts } from './folder-copy.ts';
import type { Session, Within } from './port.ts';

/** How soon an effect retries to reach the store, in milliseconds. */
const RETRY_MS = 1_000;

/** Folders known to be laid out, beside those in use: more than are used in an hour. */
const KNOWN_MAX = 10_000;

/** A folder that this node may store. */
interface KnownFolder {
  readonly session: Session;
  isLaidOut: boolean;
  users: number;
}

const keyOf = ({ owner, session_id }: Session): string => `${owner}~${session_id}`;

/**
 * Manages the folders of sessions whose files are stored elsewhere: lays them out at their first use, and stores
 * changes.
 */
export class StoredFolders {
  readonly #parts: FolderCopyParts;
  readonly #copy: FolderCopy;
  readonly #folders = new Map<string, KnownFolder>();
  readonly #inTurn = queueByKey();
  readonly #isWorthALine = onceAMinute();

  constructor(parts: FolderCopyParts) {
    this.#parts = parts;
    this.#copy = new FolderCopy(parts, this.#isWorthALine);
  }

  isLaidOut(session: Session): boolean {
    return this.#folders.get(keyOf(session))?.isLaidOut === true;
  }

  /** Runs work in a session's folder once it is laid out, and stores the changes if the work asked for the folder. */
  readonly within: Within = async (session, signal, work) => {
    const folder = this.#use(session);
    let isAsked = false;
    try {
      await this.#layOutOnce(folder, signal);
      try {
        return await work((...name) => {
          isAsked = true;
          return this.#copy.workspaceOf(...name);
        });
      } finally {
        // A folder that is missing as a whole is laid out again: nobody deletes files that way.
        if (isAsked && this.#isGone(session)) folder.isLaidOut = false;
        else if (isAsked)
          await this.#insist(folder, signal, () => this.#copy.save(session, () => this.#assertHere(folder)));
      }
    } finally {
      folder.users -= 1;
    }
  };

  forget(session: Session): void {
    this.#folders.delete(keyOf(session));
  }

  /** Forgets an owner whose home is another node, and removes their copies here. */
  drop(owner: string): void {
    for (const [key, { session }] of this.#folders)
      if (session.owner === owner) {
        this.#folders.delete(key);
        void this.#copy.removeCopies(session).catch(() => {});
      }
  }

  #use(session: Session): KnownFolder {
    const folders = this.#folders;
    if (folders.size > KNOWN_MAX) for (const [each, { users }] of folders) if (users === 0) folders.delete(each);
    const folder = folders.get(keyOf(session)) ?? { session, isLaidOut: false, users: 0 };
    folders.set(keyOf(session), folder);
    folder.users += 1;
    return folder;
  }

  async #layOutOnce(folder: KnownFolder, signal: AbortSignal | null): Promise<void> {
    if (folder.isLaidOut) return;
    await this.#insist(folder, signal, async () => {
      this.#assertHere(folder);
      if (!folder.isLaidOut) await this.#copy.layOut(folder.session);
      this.#assertHere(folder);
      folder.isLaidOut = true;
    });
  }

  /** Runs a step alone in its folder. With a signal it is retried until it succeeds or the signal aborts. */
  async #insist({ session }: KnownFolder, signal: AbortSignal | null, step: () => Promise<void>): Promise<void> {
    for (;;)
      try {
        return await this.#inTurn(keyOf(session), step);
      } catch (error) {
        if (signal === null) throw error;
        if (this.#isWorthALine())
          this.#parts.log.error({ err: error }, 'files of a session cannot be stored; trying again');
        await pause(RETRY_MS, undefined, { signal });
      }
  }

  #assertHere(folder: KnownFolder): void {
    const text = 'The session is removed, or another node serves you; ask again';
    if (this.#folders.get(keyOf(folder.session)) !== folder) throw new ServiceError('STORAGE_UNAVAILABLE', text);
  }

  #isGone({ owner, session_id }: Session): boolean {
    return !existsSync(workspacePath(this.#parts.dataDir, owner, session_id));
  }
}
