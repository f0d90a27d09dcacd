import { closeSync, fsync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** What a write of a file is to outlive. */
export interface WriteOptions {
  /** The text is on the disk before the file takes its place, so that a loss of power leaves no empty file. Default false. */
  isDurable?: boolean;
}

/** Opens a file that is not there yet, replacing one that a crash left. */
const openNew = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    rmSync(file, { force: true });
    return openSync(file, 'wx', 0o600);
  }
};

/**
 * Writes a file so that a reader sees the old text or the new one, never half of one: a temporary file of mode 0600 takes its
 * place by rename, which also replaces a link instead of following it. Callers write one file once at a time. Small files are
 * written by synchronous calls, for a hand-over to another thread costs more than they do.
 */
export const writeFileAtomic = async (
  file: string,
  text: string,
  { isDurable = false }: WriteOptions = {},
): Promise<void> => {
  // One name for each file, so that a crash leaves at most one such file, which the next write removes.
  const temporary = join(dirname(file), `.${basename(file)}.tmp`);
  try {
    const handle = openNew(temporary);
    try {
      writeFileSync(handle, text);
      if (isDurable) await promisify(fsync)(handle);
    } finally {
      closeSync(handle);
    }
    if (isDurable) await rename(temporary, file);
    else renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};
