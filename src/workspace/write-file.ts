import { closeSync, open, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Opens a file as its number. Node's own promise gives a handle, which costs several steps more. */
const openFile = promisify(open);

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

/** Creates a file for a text, in place of a temporary one that a crash left or of a link. */
const createTemporary = async (temporary: string): Promise<number> => {
  try {
    return await openFile(temporary, 'wx', 0o600);
  } catch (error) {
    if (!isTaken(error)) throw error;
    rmSync(temporary, { force: true, recursive: true });
    return openFile(temporary, 'wx', 0o600);
  }
};

/** Writes a text to an opened file and closes it; writes nothing for null. Returns whether there was a text. */
const fill = (opened: number, text: () => string | null): boolean => {
  try {
    const given = text();
    if (given !== null) writeFileSync(opened, given);
    return given !== null;
  } finally {
    closeSync(opened);
  }
};

/**
 * Writes a short text in the same way, one write of a file at a time. Only the temporary file is created in the thread
 * pool, as a busy disk may take milliseconds for that. The rest is synchronous: `text` gives the text of that moment;
 * with null the file stays as it is. Rejects with the system's error, and leaves nothing behind then.
 */
export const replaceText = async (file: string, text: () => string | null): Promise<void> => {
  const temporary = temporaryOf(file);
  const opened = await createTemporary(temporary);
  try {
    if (fill(opened, text)) renameSync(temporary, file);
    else rmSync(temporary);
  } catch (error) {
    rmSync(temporary, { force: true, recursive: true });
    throw error;
  }
};
