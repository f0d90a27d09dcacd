import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that a reader sees the old text or the new one, never half of one: a temporary file of mode 0600 takes its
 * place by rename, which also replaces a link instead of following it. `isDurable`: the text is on the disk before that, so that a
 * loss of power leaves no empty file. Synchronous, for a hand-over to another thread costs more than a small file does.
 */
export const writeFileWhole = (file: string, text: string, { isDurable = false } = {}): void => {
  // One name for each file, so that a crash leaves at most one such file, which the next write removes.
  const temporary = join(dirname(file), `.${basename(file)}.tmp`);
  const write = (): void => writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: isDurable });
  try {
    try {
      write();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      rmSync(temporary, { force: true });
      write();
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};
