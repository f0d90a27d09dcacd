import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileRefused, leadsNowhere } from './file-problem.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * Whether an open folder can be named by its descriptor, as on Linux: what is opened by it is in that very folder, even where its path
 * has become a link meanwhile. Elsewhere each folder is opened without following a link, but may be replaced before the next.
 */
const NAMED_BY_DESCRIPTOR = existsSync('/proc/self/fd');

/** A folder that is open, and stays the same whatever becomes of its path. */
export interface OpenFolder {
  /** The path by which the system finds an entry of this folder. The entry itself may be a link. */
  at(name: string): string;
  /** Writes the folder's entries to the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const folderOf = (handle: FileHandle, path: string): OpenFolder => ({
  at: (name) => (NAMED_BY_DESCRIPTOR ? `/proc/self/fd/${handle.fd}/${name}` : join(path, name)),
  sync: () => handle.sync(),
  close: () => handle.close(),
});

/** Opens a folder that is no link itself. Rejects with a system error. */
export const openFolder = async (path: string): Promise<OpenFolder> =>
  folderOf(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);

const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

/** What to do with the folders on the way to a file, from the session's own to the one that the file is in. */
type Within<Result> = (folder: OpenFolder, chain: readonly OpenFolder[]) => Promise<Result>;

/**
 * Opens the folders on a way one after the other, following no link, and closes them when the work has ended. With `makes`, those that
 * are missing are made. Rejects with `FileRefused` `not_found` where the way leads through something that is no folder.
 */
export const withinFolder = async <Result>(
  root: string,
  names: readonly string[],
  work: Within<Result>,
  { makes = false }: { makes?: boolean } = {},
): Promise<Result> => {
  const chain: OpenFolder[] = [];
  try {
    try {
      chain.push(await openFolder(root));
      for (const name of names) {
        const path = chain.at(-1)!.at(name);
        if (makes) await makeFolder(path);
        chain.push(await openFolder(path));
      }
    } catch (error) {
      throw leadsNowhere(error) ? new FileRefused('not_found') : error;
    }
    return await work(chain.at(-1)!, chain);
  } finally {
    for (const folder of chain.reverse()) await folder.close();
  }
};
