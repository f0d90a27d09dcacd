import { ServiceError } from '../lib/errors.ts';
import { iso } from '../lib/iso-time.ts';
import { printable } from '../lib/printable.ts';
import { ageOf, DAY_MS } from './age.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { loadSettings } from './settings.ts';

const BYTES_PER_MB = 1_000_000;

export interface PruneCommandOptions {
  olderThan?: string;
  dryRun?: true;
  includeWaiting?: true;
  dataDir?: string;
}

const chosenAge = (olderThan: string | undefined, retentionDays: number | null): number => {
  if (olderThan !== undefined) {
    const age = ageOf(olderThan);
    if (age !== null) return age;
    throw new CommandFailure(`--older-than ${olderThan} is not an age: write 90d, 12w or 36h`, exitCode.usage);
  }
  if (retentionDays !== null) return retentionDays * DAY_MS;
  throw new CommandFailure('Say how old: --older-than 90d, or set TRIPACT_RETENTION_DAYS', exitCode.usage);
};

const megabytes = (bytes: number): string => `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;

/** `tripact prune`: removes sessions that were not used for long and have nothing open; todos and schedules stay. */
export const prune = async ({ olderThan, dryRun, includeWaiting, dataDir }: PruneCommandOptions): Promise<void> => {
  const { config } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  const { openAdmin } = await import('../app/open-admin.ts');
  const options = {
    before: Date.now() - chosenAge(olderThan, config.retentionDays),
    includeWaiting: includeWaiting === true,
    isDryRun: dryRun === true,
  };
  try {
    const { sessions, bytesBefore, bytesAfter } = await openAdmin(config.dataDir).prune(options, (session) =>
      console.log(printable(`${session.owner} ${session.session_id} ${iso(session.last_used_at)}`)),
    );
    const sizes = `the database has ${megabytes(bytesAfter)}, had ${megabytes(bytesBefore)}`;
    console.error(
      dryRun === true ? `Sessions that would be removed: ${sessions}` : `Sessions removed: ${sessions}; ${sizes}`,
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') throw error;
    throw new CommandFailure(
      'A service runs on this data folder: stop it first, or set TRIPACT_RETENTION_DAYS and it removes old sessions by itself',
      exitCode.failed,
      { cause: error },
    );
  }
};
