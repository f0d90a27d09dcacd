import { printable } from '../lib/printable.ts';
import { loadSettings } from './settings.ts';

export interface RestoreCommandOptions {
  dataDir?: string;
  force?: true;
}

/** `tripact restore`: makes a backup the database of a data folder that no service uses. */
export const restore = async (file: string, { dataDir, force }: RestoreCommandOptions): Promise<void> => {
  const { config } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  const { openAdmin } = await import('../app/open-admin.ts');
  const { sessions, tasks, kept } = await openAdmin(config.dataDir).restore(file, { force: force === true });
  console.log(printable(`Restored into ${config.dataDir} (sessions: ${sessions}, tasks: ${tasks})`));
  if (kept !== null) console.error(printable(`The database that was there is kept as ${kept}`));
};
