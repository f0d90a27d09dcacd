import { closeSync, fsync, openSync, rename, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { queueByKey } from '../lib/queue-by-key.ts';

const syncToDisk = (handle: number): Promise<void> => promisify(fsync)(handle);
const move = promisify(rename);

/** Opens or writes a temporary file that is not there yet, replacing one that a crash left. */
const asNew = <Result>(file: string, create: () => Result): Result => {
  try {
    return create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    rmSync(file, { force: true });
    return create();
  }
};

const NEW = { flag: 'wx', mode: 0o600 };

const writeDurably = async (file: string, text: string): Promise<void> => {
  const handle = asNew(file, () => openSync(file, NEW.flag, NEW.mode));
  try {
    writeFileSync(handle, text);
    await syncToDisk(handle);
  } finally {
    closeSync(handle);
  }
};

const put = async (file: string, text: string, isDurable: boolean): Promise<void> => {
  // One name for each file, so that a crash leaves at most one such file, which the next write removes.
  const temporary = join(dirname(file), `.${basename(file)}.tmp`);
  try {
    if (isDurable) await writeDurably(temporary, text);
    // One call opens, writes and closes it.
    else asNew(temporary, () => writeFileSync(temporary, text, NEW));
    await move(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

/** What a write of a file is to outlive. */
export interface WriteOptions {
  /** The text is on the disk before the file takes its place, so that a loss of power leaves no empty file. Default false. */
  isDurable?: boolean;
}

const inTurn = queueByKey();

/**
 * Writes a file so that a reader sees the old text or the new one, never half of one: a temporary file of mode 0600 takes its
 * place by rename, which also replaces a link instead of following it. Resolves when it is in its place; writes of one file take
 * their places in the order they were asked for. Only the rename, and what makes it durable, is left to another thread: the file is
 * small, but a file system may write it out before it lets it take another's place.
 */
export const writeFileAtomic = (file: string, text: string, { isDurable = false }: WriteOptions = {}): Promise<void> =>
  inTurn(file, () => put(file, text, isDurable));
