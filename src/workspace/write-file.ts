import { rename, renameSync, rmSync, writeFile, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Node's own promises make a handle of each file, which costs more processor time than the write. */
const writeTo = promisify(writeFile);
const moveTo = promisify(rename);

/** One name for all writes of a file, so a crash leaves at most one there. */
const temporaryOf = (file: string): string => join(dirname(file), `.${basename(file)}.tmp`);

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/**
 * Writes a file atomically, by renaming a `temporary` one of mode 0600; a link is replaced too. `isDurable`: synced to
 * disk before that. Synchronous.
 */
export const writeFileWhole = (
  file: string,
  content: string | Buffer,
  { isDurable = false, temporary = temporaryOf(file) } = {},
): void => {
  // Node writes a text with an encoding in one call, and never syncs it.
  const options = { encoding: isDurable ? null : 'utf8', flag: 'wx', mode: 0o600, flush: isDurable } as const;
  const write = (): void => {
    writeFileSync(temporary, content, options);
    renameSync(temporary, file);
  };
  try {
    write();
  } catch (error) {
    rmSync(temporary, { force: true, recursive: true });
    if (!isTaken(error)) throw error;
    write();
  }
};

/**
 * Writes a text in the same way without holding up the process, one write of a file at a time. Where `isStopped` says so after the temporary file
 * is written, that is removed and the file stays as it is. Rejects with the system's error, and leaves nothing behind then.
 */
export const replaceText = async (file: string, text: string, isStopped: () => boolean): Promise<void> => {
  const temporary = temporaryOf(file);
  const remove = (): Promise<void> => rm(temporary, { force: true, recursive: true });
  const write = (): Promise<void> => writeTo(temporary, text, { flag: 'wx', mode: 0o600 });
  try {
    await write().catch(async (error: unknown) => {
      if (!isTaken(error)) throw error;
      await remove();
      await write();
    });
    if (isStopped()) await remove();
    else await moveTo(temporary, file);
  } catch (error) {
    await remove();
    throw error;
  }
};
