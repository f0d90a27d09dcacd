import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that a reader sees the old text or the new one, never half of one: a fresh file of mode 0600 takes its
 * place by rename, which also replaces a link instead of following it. Two writers of one file must take turns.
 */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  // One name for each file, so that a crash leaves one such file at most, which the next write takes away.
  const fresh = join(dirname(file), `.${basename(file)}.tmp`);
  await rm(fresh, { force: true });
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.close();
    await rename(fresh, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(fresh, { force: true });
    throw error;
  }
};
