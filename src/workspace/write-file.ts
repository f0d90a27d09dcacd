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
  // Node takes one call for a text with an encoding, and never flushes it.
  const options = { encoding: isDurable ? null : 'utf8', flag: 'wx', mode: 0o600, flush: isDurable } as const;
  const write = (): void => {
    writeFileSync(temporary, content, options);
    renameSync(temporary, file);
  };
  try {
    write();
  } catch (error) {
    rmSync(temporary, { force: true, recursive: true });
    // One name for all writes of a file, so a crash left at most one there.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    write();
  }
};
