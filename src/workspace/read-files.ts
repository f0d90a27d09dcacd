import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FilePath, isHidden, leadsNowhere, parseFilePath } from './file-path.ts';
import { workspacePath } from './folder.ts';
import { FileRefused, type ListedFile, type ReadableFile, type SessionFiles } from './port.ts';

/** Bytes by which a file is taken for text or not. */
const SNIFFED_BYTES = 8 * 1024;

const readable = async (opened: OpenedFile): Promise<ReadableFile> => {
  const { handle, stats } = opened;
  const isText = textOfBytes(await readStart(opened, SNIFFED_BYTES), stats.size > SNIFFED_BYTES) !== null;
  return {
    isText,
    // Text appended meanwhile is not part of it.
    stream: () => handle.createReadStream({ start: 0, end: Math.max(0, stats.size - 1) }),
    close: () => handle.close(),
  };
};

const unlessRefused =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof FileRefused) return value;
    throw error;
  };

/** Makes the files of all sessions of a data folder readable. */
export const createSessionFiles = (dataDir: string): SessionFiles => ({
  list: async (owner, sessionId, { limit, after = '' }) => {
    const { files } = await listFiles(workspacePath(dataDir, owner, sessionId)).catch(unlessRefused({ files: [] }));
    const left = files.filter(({ path }) => path > after);
    const items = left.slice(0, limit);
    return { items, next: left.length > limit ? items.at(-1)!.path : null };
  },
  open: async (owner, sessionId, text) => {
    const path = parseFilePath(text);
    if (path === null) return null;
    const opened = await openFile(workspacePath(dataDir, owner, sessionId), path).catch(unlessRefused(null));
    return opened === null ? null : readable(opened);
  },
});

/** Entries of a session's folder that are looked at: other programs may put any number there. */
const ENTRIES_MAX = 10_000;

/** Reading alone, following no link, and without waiting for the other end of a pipe. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** An open file, and its size and kind when it was opened. */
export interface OpenedFile {
  handle: FileHandle;
  stats: Stats;
}

/** The path of a folder below a session's. Rejects with `FileRefused` `not_found` where the way leads through a link or anything but folders. */
export const folderWithin = async (root: string, names: FilePath): Promise<string> => {
  const folders = [root, ...names.map((_, at) => join(root, ...names.slice(0, at + 1)))];
  try {
    for (const folder of folders) if (!(await lstat(folder)).isDirectory()) throw new FileRefused('not_found');
  } catch (error) {
    throw leadsNowhere(error) ? new FileRefused('not_found') : error;
  }
  return join(root, ...names);
};

/** Opens a file for reading; null where there is none of that name. Rejects with `FileRefused` for a link, a folder or a device. */
export const openEntry = async (path: string): Promise<OpenedFile | null> => {
  try {
    // Before it is opened: to open a device may already do something.
    if (!(await lstat(path)).isFile()) throw new FileRefused('not_a_file');
    const handle = await open(path, READING);
    return { handle, stats: await handle.stat() };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') return null;
    throw leadsNowhere(error) ? new FileRefused('not_a_file') : error;
  }
};

/** Opens a file of a session for reading, by its path in the session's folder. Rejects with `FileRefused`. */
export const openFile = async (root: string, path: FilePath): Promise<OpenedFile> => {
  if (isHidden(path)) throw new FileRefused('not_found');
  const opened = await openEntry(join(await folderWithin(root, path.slice(0, -1)), path.at(-1)!));
  if (opened === null) throw new FileRefused('not_found');
  return opened;
};

/** The first bytes of an open file, at most so many. */
export const readStart = async ({ handle, stats }: OpenedFile, bytesMax: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(Math.min(stats.size, bytesMax));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
};

/** The first bytes of a file, at most so many; null where there is no regular file that may be read. */
export const readBeginning = async (path: string, bytesMax: number): Promise<Buffer | null> => {
  try {
    const opened = await openEntry(path);
    if (opened === null) return null;
    await using _closed = opened.handle;
    return await readStart(opened, bytesMax);
  } catch (error) {
    if (error instanceof FileRefused || ['EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code)))
      return null;
    throw error;
  }
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

/** The files of a session by path, in order of the path. */
export interface FileList {
  files: ListedFile[];
  /** False where there are more entries than `ENTRIES_MAX`, and some were not looked at. */
  isWhole: boolean;
}

/** Lists the files below a folder of a session. Links, devices and names that no path may have are passed over. */
export const listFiles = async (root: string, below: FilePath = []): Promise<FileList> => {
  const files: ListedFile[] = [];
  let seen = 0;
  const visit = async (folder: string, names: FilePath): Promise<void> => {
    // Its session may have been removed since it was looked at.
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (leadsNowhere(error)) return [];
      throw error;
    });
    for (const entry of entries) {
      seen += 1;
      if (seen > ENTRIES_MAX) return;
      const path = [...names, entry.name];
      if (isHidden(path) || parseFilePath(path.join('/')) === null) continue;
      try {
        if (entry.isDirectory()) await visit(join(folder, entry.name), path);
        if (!entry.isFile()) continue;
        const { size, mtimeMs } = await lstat(join(folder, entry.name));
        files.push({ path: path.join('/'), size, modified_at: Math.round(mtimeMs) });
      } catch (error) {
        // It was removed or replaced since its folder was read.
        if (!leadsNowhere(error)) throw error;
      }
    }
  };
  await visit(await folderWithin(root, below), below);
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), isWhole: seen <= ENTRIES_MAX };
};
