import type { Config } from '../config/config.ts';
import type { Admin } from '../store/port.ts';
import { createAdmin } from '../store/sqlite/admin.ts';
import { createWorkspaceRemoval } from '../workspace/folder.ts';

/**
 * Opens administration of the stored data, in the data folder or the database. Paths may be relative to the working
 * directory.
 */
export const openAdmin = async ({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Admin> => {
  const removeFolder = createWorkspaceRemoval(dataDir).remove;
  if (databaseUrl === null) return createAdmin({ dataDir, removeFolder, now: Date.now });
  const { createPostgresAdmin } = await import('../store/postgres/admin.ts');
  return createPostgresAdmin(databaseUrl, removeFolder);
};
