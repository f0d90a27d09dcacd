import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { type FilePath, isHidden } from './file-path.ts';
import { FileRefused, leadsNowhere } from './file-problem.ts';
import { type OpenFolder, withinFolder } from './open-folder.ts';

/** Reading alone, following no link, and without waiting for the other end of a pipe. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** An open file, and what it was when it was opened. */
export interface OpenedFile {
  handle: FileHandle;
  stats: Stats;
}

/** Opens a file of a folder for reading; null where there is none of that name. Rejects with `FileRefused` for a link, a folder or a device. */
export const openEntry = async (folder: OpenFolder, name: string): Promise<OpenedFile | null> => {
  const path = folder.at(name);
  try {
    // Before it is opened: to open a device may already do something.
    if (!(await lstat(path)).isFile()) throw new FileRefused('not_a_file');
    const handle = await open(path, READING);
    const stats = await handle.stat();
    if (stats.isFile()) return { handle, stats };
    await handle.close();
    throw new FileRefused('not_a_file');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') return null;
    throw leadsNowhere(error) ? new FileRefused('not_a_file') : error;
  }
};

/** Opens a file of a session for reading, by its path in the session's folder. Rejects with `FileRefused`. */
export const openFile = async (root: string, path: FilePath): Promise<OpenedFile> => {
  if (isHidden(path)) throw new FileRefused('not_found');
  const opened = await withinFolder(root, path.slice(0, -1), (folder) => openEntry(folder, path.at(-1)!));
  if (opened === null) throw new FileRefused('not_found');
  return opened;
};

/** The first bytes of an open file, at most so many. */
export const readStart = async ({ handle, stats }: OpenedFile, bytesMax: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(Math.min(stats.size, bytesMax));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
};

/** The bytes as text; null where they are none: not UTF-8, or with a NUL. `isCut`: more bytes follow, so the last character may be cut. */
export const textOfBytes = (bytes: Buffer, isCut: boolean): string | null => {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
};
