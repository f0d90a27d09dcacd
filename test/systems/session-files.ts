import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlanFile } from '../../src/projections/plan-file.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';

/** A data folder of a test, and the files for people in it. */
export interface DataFolder {
  path: string;
  /** A session's folder, made or not. */
  folder(session: string): string;
  /** `plan.json` of a session, read and checked against its schema; null when there is none. */
  plan(session: string): PlanFile | null;
  /** All paths below a folder of the data folder, hidden ones too. */
  below(folder: string): string[];
}

/** Opens an empty data folder that is removed after the test; open it before the service that uses it. */
export const openDataFolder = (): DataFolder => {
  const path = temporaryFolder();
  const folder = (session: string): string => join(path, 'workspace', '.sessions', session);
  return {
    path,
    folder,
    plan: (session) => {
      const file = join(folder(session), 'plan.json');
      return existsSync(file) ? PlanFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
    },
    below: (start) => readdirSync(join(path, start), { recursive: true }).map(String).sort(),
  };
};
