import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCAL_OWNER } from '../../contracts/ids.ts';
import type { Session } from './port.ts';

/**
 * A session's folder, whether it exists or not. No session id or owner contains a tilde, so no two sessions share one.
 */
export const workspacePath = (dataDir: string, owner: string, sessionId: string): string =>
  join(dataDir, 'workspace', '.sessions', owner === LOCAL_OWNER ? sessionId : `${owner}~${sessionId}`);

/**
 * Creates the function that returns each session's folder, `{data}/workspace/.sessions/{session_id}`, creating it at
 * the first call. Throws if a link is in its place.
 */
export const createWorkspaces =
  (dataDir: string): ((owner: string, sessionId: string) => string) =>
  (owner, sessionId) => {
    const folder = workspacePath(dataDir, owner, sessionId);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    else if (!found.isDirectory()) throw new Error(`the session's folder is a link, or is not a folder: ${folder}`);
    return folder;
  };

/** The session of a folder's name, in which the owner `local` is left out. Session ids have no tilde. */
const sessionOf = (folder: string): Session => {
  const at = folder.lastIndexOf('~');
  return { owner: at < 0 ? LOCAL_OWNER : folder.slice(0, at), session_id: folder.slice(at + 1) };
};

/** The sessions of this disk whose folder has a file of this name. */
export const sessionsWith = async (dataDir: string, name: string): Promise<Session[]> => {
  const folders = dirname(workspacePath(dataDir, LOCAL_OWNER, 'any'));
  const names = await readdir(folders).catch(() => []);
  return names.filter((folder) => existsSync(join(folders, folder, name))).map(sessionOf);
};

/** Creates the removal of sessions' folders, which moves them away at once and deletes them later. */
export const createWorkspaceRemoval = (dataDir: string) => {
  const removed = join(dataDir, 'workspace', '.removed');
  const erase = (name: string): Promise<void> =>
    rm(join(removed, name), { recursive: true, force: true, maxRetries: 3 });
  return {
    /** Removes a session's folder, or a link in its place, which it never follows. */
    remove: async ({ owner, session_id }: Session): Promise<void> => {
      const folder = workspacePath(dataDir, owner, session_id);
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
      const name = randomBytes(8).toString('hex');
      mkdirSync(removed, { recursive: true, mode: 0o700 });
      renameSync(folder, join(removed, name));
      await erase(name);
    },
    /** Deletes what a process that died had moved away; one by one, as others may be removed meanwhile. */
    empty: async (): Promise<void> => {
      for (const name of await readdir(removed).catch(() => [])) await erase(name);
    },
  };
};
