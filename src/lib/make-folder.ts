import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, which this user alone can read, and those above it that are missing. Throws the system's error. Node's own `recursive` never ends where a
 * folder that is there takes no other, such as `/proc`.
 */
export const makeFolder = (path: string): void => {
  const make = (): void => mkdirSync(path, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    make();
  }
};
