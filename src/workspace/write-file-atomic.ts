import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What a write of a file is to outlive. */
export interface WriteOptions {
  /** The text is on the disk before the file takes its place, so that a loss of power leaves no empty file. Default false. */
  isDurable?: boolean;
}

/**
 * Writes a file so that a reader sees the old text or the new one, never half of one: a temporary file of mode 0600 takes its
 * place by rename, which also replaces a link instead of following it. Callers write one file once at a time.
 */
export const writeFileAtomic = async (
  file: string,
  text: string,
  { isDurable = false }: WriteOptions = {},
): Promise<void> => {
  // One name for each file, so that a crash leaves at most one such file, which the next write removes.
  const temporary = join(dirname(file), `.${basename(file)}.tmp`);
  const create = () => open(temporary, 'wx', 0o600);
  try {
    const handle = await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      await rm(temporary, { force: true, recursive: true });
      return create();
    });
    try {
      await handle.writeFile(text);
      if (isDurable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
};
