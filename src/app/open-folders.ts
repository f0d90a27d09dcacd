import { join } from 'node:path';
import type { SessionKey } from '../session/image.ts';
import { createAlone } from '../workspace/attached/place-files.ts';
import { createStoredFiles } from '../workspace/attached/stored-files.ts';
import { createToolFiles } from '../workspace/attached/tool-files.ts';
import { createTurnFiles } from '../workspace/attached/turn-files.ts';
import { createFileChanges } from '../workspace/change-file.ts';
import { createWorkspaces, workspacePath } from '../workspace/folder.ts';
import { createForgetResults } from '../workspace/kept-results.ts';
import { readLeftPlan } from '../workspace/left-plan.ts';
import type { Within } from '../workspace/port.ts';
import { createSessionFiles } from '../workspace/session-files.ts';
import { StoredFolders } from '../workspace/stored-folders.ts';
import { createFilesOfResult } from './files-of-result.ts';
import type { Foundation } from './foundation.ts';

/** Makes the parts that work in the sessions' folders: on this disk alone, or as copies of what a database stores. */
export const openFolders = ({ config: { dataDir }, file, limits, store, log }: Foundation) => {
  const quota = { bytes: limits.session_file_bytes, files: limits.session_files };
  const isShared = store.homes !== null;
  const stored = store.files === null ? null : new StoredFolders({ dataDir, store: store.files, quota, isShared, log });
  const workspaceOf = createWorkspaces(dataDir);
  const within: Within = stored?.within ?? ((_session, _signal, work) => work(workspaceOf));
  const changeFile = createFileChanges(quota);
  const alone = createAlone(within);
  return {
    stored,
    workspaceOf,
    within,
    changeFile,
    turnFiles: createTurnFiles({
      dataDir,
      within,
      alone,
      quota,
      hasTurn: async (owner, turnId) => (await store.turn(owner, 'id', turnId)) !== null,
      log,
    }),
    toolFiles: createToolFiles({ dataDir, alone, quota, filesOfResult: createFilesOfResult(store), log }),
    storedFiles: createStoredFiles(dataDir, log),
    sessionFiles: createSessionFiles(dataDir, changeFile, within),
    forgetResults: createForgetResults(dataDir, within, log),
    leftPlan: async (key: SessionKey) => {
      const plan = join(workspacePath(dataDir, key.owner, key.session_id), 'plan.json');
      return file.session_files === false ? undefined : within(key, null, async () => readLeftPlan(plan));
    },
  };
};

export type Folders = ReturnType<typeof openFolders>;
