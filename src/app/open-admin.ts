import { type Admin, type AdminParts, createAdmin } from '../store/open-storage.ts';
import type { RemovableSession } from '../store/port.ts';
import { createWorkspaceRemoval } from '../workspace/folder.ts';
import type { Config } from './config/config.ts';

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

/** The administration of what is stored, in the data folder or in the database; paths may be relative to the working directory. */
export const openAdmin = async ({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Admin> => {
  const removeFolders: AdminParts['removeFolders'] = (removed) => withoutFolders(removed, dataDir);
  if (databaseUrl === null) return createAdmin({ dataDir, removeFolders, now: Date.now });
  const { createPostgresAdmin } = await import('../store/postgres/admin.ts');
  return createPostgresAdmin(databaseUrl, { removeFolders });
};
