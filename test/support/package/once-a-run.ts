import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** How often a worker looks whether another one has made what both need, in milliseconds. */
const LOOK_MS = 200;

/** Things that the workers of one run share: each has the process of the run as its parent. */
const sharedBy = (run: number): string => join(tmpdir(), `tripact-run-${run}`);

/** Gives a folder that is filled once in a run of the tests, whichever of its workers is first. Rejects where that one failed. */
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

/** Vitest calls it in the process of the run, and what it gives when the run ends. */
export const setup = (): (() => void) => () => rmSync(sharedBy(process.pid), { recursive: true, force: true });
