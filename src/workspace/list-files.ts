import { lstat, opendir } from 'node:fs/promises';
import { type FilePath, isHidden, PATH_DEPTH_MAX, parseFilePath } from './file-path.ts';
import { leadsNowhere } from './file-problem.ts';
import { type OpenFolder, openFolder, withinFolder } from './open-folder.ts';
import type { ListedFile } from './port.ts';

/** Entries of a session's folder that are looked at: other programs may put any number there, and each takes a call of the system. */
export const ENTRIES_MAX = 10_000;

/** Files of one folder that are looked at together: enough that the calls of the system do not wait for one another. */
const FILES_AT_ONCE = 32;

/** The files of a session by path, in order of the path. */
export interface FileList {
  files: ListedFile[];
  /** False where there are more entries than `ENTRIES_MAX`, and some were not looked at. */
  isWhole: boolean;
}

const byPath = (a: ListedFile, b: ListedFile): number => (a.path < b.path ? -1 : 1);

/** Lists the files below a folder of a session. Links, devices and names that no path may have are passed over. */
export const listFiles = async (root: string, below: FilePath = []): Promise<FileList> => {
  const files: ListedFile[] = [];
  let seen = 0;

  const isSeen = (path: FilePath): boolean =>
    path.length <= PATH_DEPTH_MAX && !isHidden(path) && parseFilePath(path.join('/')) !== null;
  /** What was removed or replaced since its folder was read is passed over. */
  const unlessGone = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (!leadsNowhere(error)) throw error;
    }
  };
  const addFile = async (folder: OpenFolder, path: FilePath): Promise<void> => {
    const { size, mtimeMs } = await lstat(folder.at(path.at(-1)!));
    files.push({ path: path.join('/'), size, modified_at: Math.round(mtimeMs) });
  };
  const visitInner = async (folder: OpenFolder, path: FilePath): Promise<void> => {
    const inner = await openFolder(folder.at(path.at(-1)!));
    try {
      await visit(inner, path);
    } finally {
      await inner.close();
    }
  };
  const visit = async (folder: OpenFolder, names: FilePath): Promise<void> => {
    const found: FilePath[] = [];
    const folders: FilePath[] = [];
    for await (const entry of await opendir(folder.at('.'), { bufferSize: FILES_AT_ONCE })) {
      seen += 1;
      if (seen > ENTRIES_MAX) break;
      const path = [...names, entry.name];
      if (!isSeen(path)) continue;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory()) folders.push(path);
    }
    for (let at = 0; at < found.length; at += FILES_AT_ONCE)
      await Promise.all(found.slice(at, at + FILES_AT_ONCE).map((path) => unlessGone(addFile(folder, path))));
    // One after the other, for each is open meanwhile.
    for (const path of folders) await unlessGone(visitInner(folder, path));
  };
  await withinFolder(root, below, (folder) => visit(folder, below));
  return { files: files.sort(byPath), isWhole: seen <= ENTRIES_MAX };
};
