import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_OWNER } from '../../contracts/ids.ts';

/** A session's folder, made or not. A tilde is in no session id and no owner, so no two sessions share one. */
export const workspacePath = (dataDir: string, owner: string, sessionId: string): string =>
  join(dataDir, 'workspace', '.sessions', owner === LOCAL_OWNER ? sessionId : `${owner}~${sessionId}`);

/** Makes the function that gives each session its folder, `{data}/workspace/.sessions/{session_id}`, made when first asked for. Throws where a link is in its place. */
export const createWorkspaces =
  (dataDir: string): ((owner: string, sessionId: string) => string) =>
  (owner, sessionId) => {
    const folder = workspacePath(dataDir, owner, sessionId);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    else if (!found.isDirectory()) throw new Error(`the session's folder is a link or no folder: ${folder}`);
    return folder;
  };

export const createWorkspaceRemoval = (dataDir: string) => {
  const removed = join(dataDir, 'workspace', '.removed');
  const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return {
    /** Moves a session's folder, or a link in its place, aside at once, and gives where it is now; null where there was none. */
    setAside: (owner: string, sessionId: string): string | null => {
      const folder = workspacePath(dataDir, owner, sessionId);
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return null;
      const aside = join(removed, randomBytes(8).toString('hex'));
      mkdirSync(removed, { recursive: true, mode: 0o700 });
      renameSync(folder, aside);
      return aside;
    },
    remove,
    /** Deletes all that was set aside, also by a process that died before it came to this; one by one, for others may be set aside meanwhile. */
    empty: async (): Promise<void> => {
      for (const name of await readdir(removed).catch(() => [])) await remove(join(removed, name));
    },
  };
};
