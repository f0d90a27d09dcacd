import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Owner without authentication: its sessions' folders bear the session's name alone. */
const LOCAL_OWNER = 'local';

/** Folders known to be made and no links, so that a tool's call looks at the disk once: the newest of them, by path. */
const KNOWN_KEPT = 1_000;

/** Makes the function that gives each session its folder, `{data}/workspace/.sessions/{session_id}`, made when first asked for. */
export const createWorkspaces = (dataDir: string): ((owner: string, sessionId: string) => string) => {
  const root = join(dataDir, 'workspace', '.sessions');
  const known = new Set<string>();
  return (owner, sessionId) => {
    // A tilde is in no session id and no owner, so no two sessions share a folder.
    const folder = join(root, owner === LOCAL_OWNER ? sessionId : `${owner}~${sessionId}`);
    if (known.has(folder)) return folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (lstatSync(folder).isSymbolicLink() || realpathSync(folder) !== join(realpathSync(root), folder.slice(root.length + 1)))
      throw new Error(`the session's folder is a link to somewhere else: ${folder}`);
    if (known.size >= KNOWN_KEPT) known.clear();
    known.add(folder);
    return folder;
  };
};
