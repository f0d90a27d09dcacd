import type { Dirent } from 'node:fs';
import { lstat, opendir, rmdir, unlink } from 'node:fs/promises';

/** Times that a folder is emptied before that is given up: more may be moved into it meanwhile. */
const TRIES_MAX = 3;

/** Awaits work on what may be gone since it was found. */
const unlessGone = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

/** Names are bytes, and not all are UTF-8. */
const openEntries = async (folder: Buffer): Promise<AsyncIterable<Dirent<Buffer>>> =>
  (await opendir(folder, { encoding: 'buffer' as BufferEncoding })) as unknown as AsyncIterable<Dirent<Buffer>>;

const removeAll = async (folder: Buffer, triesLeft = TRIES_MAX - 1): Promise<void> => {
  for await (const entry of await openEntries(folder)) {
    const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
    await unlessGone(entry.isDirectory() ? removeFolder(path) : unlink(path));
  }
  try {
    await rmdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || triesLeft === 0) throw error;
    await removeAll(folder, triesLeft - 1);
  }
};

const removeWhole = async (folder: Buffer): Promise<void> =>
  (await lstat(folder)).isDirectory() ? removeAll(folder) : unlink(folder);

/**
 * Removes a folder with all that is in it, one entry after the other: `rm` of Node starts on all entries of a folder at once, which holds the event
 * loop where there are very many. Follows no link, also not one in the folder's place. One that is not there, or that somebody else removes meanwhile, is no error.
 */
export const removeFolder = (folder: string | Buffer): Promise<void> =>
  unlessGone(removeWhole(Buffer.from(folder as string)));
