import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_OWNER } from '../../contracts/ids.ts';

/**
 * Folders known to be in their place, so that a tool's call only checks that its own is still a folder: the newest of them, by
 * path. More than there are tasks at once on one machine; a path is about 100 bytes.
 */
const KNOWN_KEPT = 10_000;

/** A session's folder, made or not. A tilde is in no session id and no owner, so no two sessions share one. */
export const workspacePath = (dataDir: string, owner: string, sessionId: string): string =>
  join(dataDir, 'workspace', '.sessions', owner === LOCAL_OWNER ? sessionId : `${owner}~${sessionId}`);

/** A directory itself, and no link to one. */
const isDirectory = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes the function that gives each session its folder, `{data}/workspace/.sessions/{session_id}`, made when first asked for. */
export const createWorkspaces = (dataDir: string): ((owner: string, sessionId: string) => string) => {
  const root = join(dataDir, 'workspace', '.sessions');
  const known = new Set<string>();
  return (owner, sessionId) => {
    const folder = workspacePath(dataDir, owner, sessionId);
    if (known.has(folder) && isDirectory(folder)) return folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (
      !isDirectory(folder) ||
      realpathSync.native(folder) !== join(realpathSync.native(root), folder.slice(root.length + 1))
    )
      throw new Error(`the session's folder is a link to somewhere else: ${folder}`);
    if (known.size >= KNOWN_KEPT) known.delete(known.values().next().value ?? '');
    known.add(folder);
    return folder;
  };
};
