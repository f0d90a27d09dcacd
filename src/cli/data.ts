import { openAdmin } from '../app/open-admin.ts';
import { ServiceError } from '../lib/errors.ts';
import { iso } from '../lib/iso-time.ts';
import { printable } from '../lib/printable.ts';
import { CommandFailure, exitCode, wrongUsage } from './failure.ts';
import { loadSettings } from './settings.ts';

/** Milliseconds of the units in which an age is written. */
const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** An age such as `90d`, `12w` or `36h`, in milliseconds. Throws a `CommandFailure` that names the option. */
export const ageOf = (option: string, text: string): number => {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  if (count === undefined) throw wrongUsage(`${option} ${text} is not an age: write 90d, 12w or 36h`);
  return Number(count) * UNITS[unit as keyof typeof UNITS];
};

export interface DataOptions {
  dataDir?: string;
}

/** `tripact backup`: copies the database into a new file, also while the service runs. */
export const backup = async (file: string, { dataDir }: DataOptions): Promise<void> => {
  const { config } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  const { sessions, tasks } = await openAdmin(config.dataDir).backUp(file);
  console.log(printable(`Backed up into ${file}, and checked (sessions: ${sessions}, tasks: ${tasks})`));
  console.error(printable(`The sessions' folders are not in it: copy ${config.dataDir}/workspace as any folder`));
};

/** `tripact restore`: makes a backup the database of a data folder that no service uses. */
export const restore = async (file: string, { dataDir, force }: DataOptions & { force?: true }): Promise<void> => {
  const { config } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  const { sessions, tasks, kept } = await openAdmin(config.dataDir).restore(file, { force: force === true });
  console.log(printable(`Restored into ${config.dataDir} (sessions: ${sessions}, tasks: ${tasks})`));
  if (kept !== null) console.error(printable(`The database that was there is kept as ${kept}`));
};

export interface PruneOptions extends DataOptions {
  olderThan?: string;
  dryRun?: true;
  includeWaiting?: true;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** `tripact prune`: removes sessions that were not used for long and have nothing open; todos and schedules stay. */
export const prune = async ({ olderThan, dryRun, includeWaiting, dataDir }: PruneOptions): Promise<void> => {
  const { config } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  const days = config.retentionDays;
  if (olderThan === undefined && days === null)
    throw wrongUsage('Say how old: --older-than 90d, or set TRIPACT_RETENTION_DAYS');
  const age = olderThan === undefined ? (days ?? 0) * UNITS.d : ageOf('--older-than', olderThan);
  const isDryRun = dryRun === true;
  const options = { before: Date.now() - age, includeWaiting: includeWaiting === true, isDryRun };
  try {
    const { sessions, bytesBefore, bytesAfter } = await openAdmin(config.dataDir).prune(options, (session) =>
      console.log(printable(`${session.owner} ${session.session_id} ${iso(session.last_used_at)}`)),
    );
    const sizes = `the database has ${megabytes(bytesAfter)}, had ${megabytes(bytesBefore)}`;
    console.error(isDryRun ? `Sessions that would be removed: ${sessions}` : `Sessions removed: ${sessions}; ${sizes}`);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') throw error;
    throw new CommandFailure(
      'A service runs on this data folder: stop it first, or set TRIPACT_RETENTION_DAYS and it removes old sessions by itself',
      exitCode.failed,
      { cause: error },
    );
  }
};
