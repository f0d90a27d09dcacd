import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Writes a file whole, by rename of a `temporary` one of mode 0600, which also replaces a link. `isDurable`: on the disk before that. Synchronous. */
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
