import { printable } from '../lib/printable.ts';
import { loadSettings } from './settings.ts';

/** `tripact backup`: copies the database into a new file, also while the service runs. */
export const backup = async (file: string, { dataDir }: { dataDir?: string }): Promise<void> => {
  const { config } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  const { openAdmin } = await import('../app/open-admin.ts');
  const { sessions, tasks } = await openAdmin(config.dataDir).backUp(file);
  console.log(printable(`Backed up into ${file}, and checked (sessions: ${sessions}, tasks: ${tasks})`));
  console.error(printable(`The sessions' folders are not in it: copy ${config.dataDir}/workspace as any folder`));
};
