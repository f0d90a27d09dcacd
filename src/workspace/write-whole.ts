import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file so that a reader sees the old text or the new one, never half of one: a fresh file of mode 0600 takes its
 * place by rename, which also replaces a link instead of following it.
 */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  const fresh = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`);
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
