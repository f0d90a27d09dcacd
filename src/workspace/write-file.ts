import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that a reader sees the old bytes or the new ones, never half of them: a `temporary` file of mode 0600, by default
 * beside it, takes its place by rename, which also replaces a link instead of following it. `isDurable`: it is on the disk before that, so
 * that a loss of power leaves no empty file. Synchronous, for a hand-over to another thread costs more than a small file does.
 */
export const writeFileWhole = (
  file: string,
  content: string | Buffer,
  { isDurable = false, temporary = join(dirname(file), `.${basename(file)}.tmp`) } = {},
): void => {
  try {
    // What a crash left there. One name for all writes of a file, so there is at most one.
    rmSync(temporary, { force: true, recursive: true });
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600, flush: isDurable });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};
