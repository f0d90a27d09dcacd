import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { workspacePath } from './folder.ts';
import { removeFolder } from './remove-folder.ts';

/** Times that a folder is moved before that is given up. */
const TRIES_MAX = 3;

/** Removes the folders of removed sessions. */
export interface WorkspaceRemoval {
  /**
   * Moves a session's folder aside at once, so that a new session of that name finds none, and gives where it is now; null
   * where there was none. A link is moved, never followed.
   */
  setAside(owner: string, sessionId: string): string | null;
  /** Deletes all that was set aside, also by a process that died before it came to this. */
  empty(): Promise<void>;
}

/** Makes the removal for a data folder. */
export const createWorkspaceRemoval = (dataDir: string): WorkspaceRemoval => {
  const removed = join(dataDir, 'workspace', '.removed');
  return {
    setAside: (owner, sessionId) => {
      const folder = workspacePath(dataDir, owner, sessionId);
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return null;
      const aside = join(removed, randomBytes(8).toString('hex'));
      for (let tries = 1; ; tries += 1) {
        mkdirSync(removed, { recursive: true, mode: 0o700 });
        try {
          renameSync(folder, aside);
          return aside;
        } catch (error) {
          // `empty` may take the folder of the removed away in between.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === TRIES_MAX) throw error;
        }
      }
    },
    empty: () => removeFolder(removed),
  };
};
