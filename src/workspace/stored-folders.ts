import { existsSync, mkdirSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ServiceError } from '../lib/errors.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import type { FileStore, StoredFile } from '../workspace/port.ts';
import type { FileQuota } from './change-file.ts';
import { type FilePath, hiddenNames, isHidden, parseFilePath } from './file-path.ts';
import { createWorkspaceRemoval, createWorkspaces, workspacePath } from './folder.ts';
import { planOwner } from './left-plan.ts';
import type { Session, Within } from './port.ts';
import { FileRefused, findFile, type ListedFile, listFiles } from './read-files.ts';
import { writeFileWhole } from './write-file.ts';

/**
 * A file that changed less than this before it was stored may have changed again with the same timestamp, in
 * milliseconds: ten ticks of a slow kernel.
 */
const CLOCK_MS = 100;

/** How soon an effect retries to reach the store, in milliseconds. */
const RETRY_MS = 1_000;

/** Folders known to be laid out, beside those in use: more than are used in an hour. */
const KNOWN_MAX = 10_000;

const isSame = (stored: StoredFile | undefined, file: ListedFile | undefined): boolean => {
  if (stored === undefined || file === undefined) return false;
  const isUnchanged = stored.size === file.size && stored.modified_at === file.modified_at;
  return isUnchanged && stored.stored_at - stored.modified_at > CLOCK_MS;
};

/**
 * The record of changes is stored too, so that a change repeated on another node is made once. So are results, which
 * another node may read, and the note of files whose turn may never be stored.
 */
const STORED: readonly (string | undefined)[] = [hiddenNames.applied, hiddenNames.results, hiddenNames.arriving];

const isPassedOver = (path: FilePath): boolean => isHidden(path) && !STORED.includes(path[0]);

/** Results come after everything that users see, if not everything can be stored. */
const isResult = ({ path }: ListedFile): boolean => path.startsWith(`${hiddenNames.results}/`);

interface Parts {
  dataDir: string;
  store: FileStore;
  /** Limits of what is stored for one session; the rest stays on its node. */
  quota: FileQuota;
  /** Other nodes use the store too, so a folder contains only copies. Otherwise files that somebody put there stay. */
  isShared: boolean;
  log: Logger;
}

/**
 * Manages the folders of sessions whose files are stored elsewhere: lays them out at their first use, and stores
 * changes.
 */
export const createStoredFolders = ({ dataDir, store, quota, isShared, log }: Parts) => {
  /** The folders that this node may store, and whether their files are laid out. */
  const folders = new Map<string, { session: Session; isLaidOut: boolean; users: number }>();
  const keyOf = ({ owner, session_id }: Session): string => `${owner}~${session_id}`;
  const inTurn = queueByKey();
  const workspaceOf = createWorkspaces(dataDir);
  const { remove } = createWorkspaceRemoval(dataDir);
  const isWorthALine = onceAMinute();

  const layOut = async (session: Session): Promise<void> => {
    const { owner, session_id } = session;
    const root = workspacePath(dataDir, owner, session_id);
    const stored = await store.list(session);
    const plan = join(root, 'plan.json');
    // One that another system left is not a copy.
    const left = (await planOwner(plan))?.isTask === false ? await readFile(plan) : null;
    if (isShared) await remove(session);
    if (left !== null || stored.length > 0) workspaceOf(owner, session_id);
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
  };

  const save = async (session: Session, assertHere: () => void): Promise<void> => {
    const root = workspacePath(dataDir, session.owner, session.session_id);
    const gone = new Map((await store.list(session)).map((file) => [file.path, file]));
    const { files } = await listFiles(root, isPassedOver);
    let size = 0;
    const kept = files
      .sort((a, b) => Number(isResult(a)) - Number(isResult(b)) || a.size - b.size)
      .filter((file, index) => {
        size += file.size;
        return index < quota.files && size <= quota.bytes;
      });
    if (kept.length < files.length && isWorthALine())
      log.warn(
        { session_id: session.session_id, files: files.length, stored: kept.length },
        'files are not stored because session_files or session_file_bytes is reached; they stay on this node',
      );
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
  };

  return {
    isLaidOut: (session: Session): boolean => folders.get(keyOf(session))?.isLaidOut === true,
    within: (async (session, signal, work) => {
      const key = keyOf(session);
      if (folders.size > KNOWN_MAX) for (const [each, { users }] of folders) if (users === 0) folders.delete(each);
      const folder = folders.get(key) ?? { session, isLaidOut: false, users: 0 };
      folders.set(key, folder);
      folder.users += 1;
      const assertHere = (): void => {
        const text = 'The session is removed, or another node serves you; ask again';
        if (folders.get(key) !== folder) throw new ServiceError('STORAGE_UNAVAILABLE', text);
      };
      const insist = async (step: () => Promise<void>): Promise<void> => {
        for (;;)
          try {
            return await inTurn(key, step);
          } catch (error) {
            if (signal === null) throw error;
            if (isWorthALine()) log.error({ err: error }, 'files of a session cannot be stored; trying again');
            await pause(RETRY_MS, undefined, { signal });
          }
      };
      const isGone = (): boolean => !existsSync(workspacePath(dataDir, session.owner, session.session_id));
      let isAsked = false;
      try {
        if (!folder.isLaidOut)
          await insist(async () => {
            assertHere();
            if (!folder.isLaidOut) await layOut(session);
            assertHere();
            folder.isLaidOut = true;
          });
        try {
          return await work((...name) => {
            isAsked = true;
            return workspaceOf(...name);
          });
        } finally {
          // A folder that is missing as a whole is laid out again: nobody deletes files that way.
          if (isAsked && isGone()) folder.isLaidOut = false;
          else if (isAsked) await insist(() => save(session, assertHere));
        }
      } finally {
        folder.users -= 1;
      }
    }) satisfies Within as Within,
    forget: (session: Session): void => void folders.delete(keyOf(session)),
    /** Forgets an owner who has moved to another home. */
    leave: (owner: string): void => {
      for (const [key, { session }] of folders)
        if (session.owner === owner) {
          folders.delete(key);
          if (isShared) void remove(session).catch(() => {});
        }
    },
  };
};

export type StoredFolders = ReturnType<typeof createStoredFolders>;
