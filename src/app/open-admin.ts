import type { Admin } from '../store/open-storage.ts';
import { createAdmin } from '../store/open-storage.ts';
import type { RemovableSession } from '../store/port.ts';
import { createWorkspaceRemoval } from '../workspace/folder.ts';

/** Removes the folders of removed sessions, and yields each session once its folder is out of its place. */
async function* withoutFolders(
  removed: AsyncIterable<readonly RemovableSession[]>,
  dataDir: string,
): AsyncGenerator<RemovableSession> {
  const workspaces = createWorkspaceRemoval(dataDir);
  try {
    for await (const batch of removed) {
      for (const { owner, session_id } of batch) workspaces.setAside(owner, session_id);
      yield* batch;
    }
  } finally {
    await workspaces.empty();
  }
}

/** The administration of a data folder; paths may be relative to the working directory. */
export const openAdmin = (dataDir: string): Admin =>
  createAdmin({ dataDir, removeFolders: (removed) => withoutFolders(removed, dataDir), now: Date.now });
