import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Opens a file that nobody has, in place of one that a crash left. */
const openFresh = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    rmSync(file, { force: true });
    return openSync(file, 'wx', 0o600);
  }
};

/**
 * Writes a file so that a reader sees the old text or the new one, never half of one: a fresh file of mode 0600 takes its
 * place by rename, which also replaces a link instead of following it. It returns when it is written: these files are small, and
 * handing one to another thread takes longer than writing it.
 */
export const writeWhole = (file: string, text: string): void => {
  // One name for each file, so that a crash leaves one such file at most, which the next write takes away.
  const fresh = join(dirname(file), `.${basename(file)}.tmp`);
  const handle = openFresh(fresh);
  try {
    try {
      writeFileSync(handle, text);
    } finally {
      closeSync(handle);
    }
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
};
