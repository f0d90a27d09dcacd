import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workspacePath } from './folder.ts';

/** Removes the folders of removed sessions. */
export interface WorkspaceRemoval {
  /** Moves a session's folder aside at once, so that a new session of that name finds none. A link is moved, never followed. */
  setAside(owner: string, sessionId: string): void;
  /** Deletes all that was set aside, also by a process that died before it came to this. */
  empty(): Promise<void>;
}

/** Makes the removal for a data folder. */
export const createWorkspaceRemoval = (dataDir: string): WorkspaceRemoval => {
  const removed = join(dataDir, 'workspace', '.removed');
  return {
    setAside: (owner, sessionId) => {
      const folder = workspacePath(dataDir, owner, sessionId);
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
      mkdirSync(removed, { recursive: true, mode: 0o700 });
      renameSync(folder, join(removed, randomBytes(8).toString('hex')));
    },
    empty: () => rm(removed, { recursive: true, force: true }),
  };
};
