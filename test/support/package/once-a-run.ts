import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** How often a worker checks whether another one has made what both need, in milliseconds. */
const LOOK_MS = 200;

/** Shared by the workers of one run: each has the run's process as its parent. */
const sharedBy = (run: number): string => join(tmpdir(), `tripact-run-${run}`);

/** Returns a folder that is filled once in a test run, by whichever worker is first. Rejects if that worker failed. */
export const onceARun = async (name: string, fill: (folder: string) => Promise<void>): Promise<string> => {
  const folder = join(sharedBy(process.ppid), name);
  const [filled, failed] = [`${folder}.filled`, `${folder}.failed`];
  mkdirSync(sharedBy(process.ppid), { recursive: true });
  try {
    mkdirSync(folder);
  } catch {
    while (!existsSync(filled)) {
      if (existsSync(failed)) throw new Error(`${name} could not be made; another test says why`);
      await wait(LOOK_MS);
    }
    return folder;
  }
  try {
    await fill(folder);
    writeFileSync(filled, '');
  } catch (error) {
    writeFileSync(failed, '');
    throw error;
  }
  return folder;
};

/** Vitest calls it in the run's process, and calls the returned function when the run ends. */
export const setup = (): (() => void) => () => rmSync(sharedBy(process.pid), { recursive: true, force: true });
