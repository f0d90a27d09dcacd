import { mkdirSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { FileQuota } from './change-file.ts';
import { type FilePath, hiddenNames, isHidden, parseFilePath } from './file-path.ts';
import { createWorkspaceRemoval, createWorkspaces, workspacePath } from './folder.ts';
import { planOwner } from './left-plan.ts';
import type { FileStore, Session, StoredFile } from './port.ts';
import { FileRefused, findFile, type ListedFile, listFiles } from './read-files.ts';
import { writeFileWhole } from './write-file.ts';

/**
 * A file that changed less than this before it was stored may have changed again with the same timestamp, in
 * milliseconds: ten ticks of a slow kernel.
 */
const CLOCK_MS = 100;

const isSame = (stored: StoredFile | undefined, file: ListedFile | undefined): boolean => {
  if (stored === undefined || file === undefined) return false;
  const isUnchanged = stored.size === file.size && stored.modified_at === file.modified_at;
  return isUnchanged && stored.stored_at - stored.modified_at > CLOCK_MS;
};

/**
 * The record of changes is stored too, so that a change repeated on another node is made once. So are results, which
 * another node may read, and the notes of files whose turn or result may never be stored.
 */
const STORED: readonly (string | undefined)[] = [
  hiddenNames.applied,
  hiddenNames.results,
  hiddenNames.arriving,
  hiddenNames.ofTools,
];

const isPassedOver = (path: FilePath): boolean => isHidden(path) && !STORED.includes(path[0]);

/** Results come after everything that users see, if not everything can be stored. */
const isResult = ({ path }: ListedFile): boolean => path.startsWith(`${hiddenNames.results}/`);

export interface FolderCopyParts {
  dataDir: string;
  store: FileStore;
  /** Limits of what is stored for one session; the rest stays on its node. */
  quota: FileQuota;
  /** Other nodes use the store too, so a folder contains only copies. Otherwise files that somebody put there stay. */
  isShared: boolean;
  log: Logger;
}

/** Copies the files of sessions between the store and their folders on this node. One copy of a folder runs at a time. */
export class FolderCopy {
  readonly #parts: FolderCopyParts;
  readonly #isWorthALine: () => boolean;
  readonly #remove: (session: Session) => Promise<void>;
  /** Creates a session's folder if there is none, and returns its path. */
  readonly workspaceOf: (owner: string, sessionId: string) => string;

  constructor(parts: FolderCopyParts, isWorthALine: () => boolean) {
    this.#parts = parts;
    this.#isWorthALine = isWorthALine;
    this.#remove = createWorkspaceRemoval(parts.dataDir).remove;
    this.workspaceOf = createWorkspaces(parts.dataDir);
  }

  /** Copies the session's stored files into its folder. A file that is the same already stays as it is. */
  async layOut(session: Session): Promise<void> {
    const { dataDir, store } = this.#parts;
    const { owner, session_id } = session;
    const root = workspacePath(dataDir, owner, session_id);
    const stored = await store.list(session);
    const plan = join(root, 'plan.json');
    // One that another system left is not a copy.
    const left = planOwner(plan)?.isTask === false ? await readFile(plan) : null;
    await this.removeCopies(session);
    if (left !== null || stored.length > 0) this.workspaceOf(owner, session_id);
    if (left !== null) writeFileWhole(plan, left);
    const found = new Map((await listFiles(root, isPassedOver)).files.map((file) => [file.path, file]));
    for (const file of stored) {
      if (isSame(file, found.get(file.path))) continue;
      const bytes = await store.read(session, file.path);
      try {
        const place = findFile(root, parseFilePath(file.path) ?? []).file;
        if (bytes === null) continue;
        mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
        writeFileWhole(place, bytes, { temporary: join(root, hiddenNames.unfinished) });
        utimesSync(place, file.modified_at / 1_000, file.modified_at / 1_000);
      } catch (error) {
        // A link or a folder of this node is in its place.
        if (!(error instanceof FileRefused)) throw error;
      }
    }
  }

  /** Stores the folder's changes, the smallest files first up to the quota. Throws what `assertHere` throws before it stores. */
  async save(session: Session, assertHere: () => void): Promise<void> {
    const { dataDir, store } = this.#parts;
    const root = workspacePath(dataDir, session.owner, session.session_id);
    const gone = new Map((await store.list(session)).map((file) => [file.path, file]));
    const { files } = await listFiles(root, isPassedOver);
    const kept = this.#withinQuota(session, files);
    const changed = [];
    for (const file of kept) {
      const stored_at = Date.now();
      const isKnown = isSame(gone.get(file.path), file);
      const bytes = isKnown ? null : await readFile(join(root, file.path)).catch(() => null);
      if (bytes !== null) changed.push({ ...file, bytes, stored_at });
      if (isKnown || bytes !== null) gone.delete(file.path);
    }
    assertHere();
    if (changed.length + gone.size > 0) await store.change(session, changed, [...gone.keys()]);
  }

  /** Removes a folder that contains only copies; other folders stay. */
  async removeCopies(session: Session): Promise<void> {
    if (this.#parts.isShared) await this.#remove(session);
  }

  #withinQuota({ session_id }: Session, files: ListedFile[]): ListedFile[] {
    const { quota, log } = this.#parts;
    let size = 0;
    const kept = files
      .sort((a, b) => Number(isResult(a)) - Number(isResult(b)) || a.size - b.size)
      .filter((file, index) => {
        size += file.size;
        return index < quota.files && size <= quota.bytes;
      });
    if (kept.length < files.length && this.#isWorthALine())
      log.warn(
        { session_id, files: files.length, stored: kept.length },
        'files are not stored because session_files or session_file_bytes is reached; they stay on this node',
      );
    return kept;
  }
}
