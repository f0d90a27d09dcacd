import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FILE_BYTES_MAX } from '../../contracts/limits.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { type FilePath, hiddenNames, isHidden, isServiceFile, leadsNowhere, parseFilePath } from './file-path.ts';
import { createWorkspaces, workspacePath } from './folder.ts';
import { FileRefused, type FileWriter } from './port.ts';
import { folderWithin, listFiles, openEntry, readBeginning, readStart } from './read-files.ts';

/** Changes remembered: more than can be under way in one session at once. */
const CHANGES_KEPT = 32;

/** Longest record read, in bytes: far above that of `CHANGES_KEPT` changes. */
const RECORD_BYTES_MAX = 64 * 1024;

/** The changes that were last begun in a session's folder, oldest first: hashes of the file before and after each; null where there is none. */
const Applied = z.array(
  z.object({ effect_id: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
);

/** A record that can't be read counts as empty. */
const readApplied = async (root: string): Promise<z.infer<typeof Applied>> => {
  const record = await readBeginning(join(root, hiddenNames.applied), RECORD_BYTES_MAX);
  try {
    return Applied.parse(JSON.parse(record?.toString() ?? '[]'));
  } catch {
    return [];
  }
};

/** Limits of all files of a session: bytes, and their number. */
export interface FileQuota {
  bytes: number;
  files: number;
}

/** A file as a change finds it. */
export interface CurrentFile {
  /** Distinguishes one content from another; null where there is no file. */
  id: string | null;
  /** Null where there is no file, or one larger than is read. */
  bytes: Buffer | null;
  size: number;
}

/** A change of one file. `change` gives the file's new bytes, null to delete it; it may refuse, and must give the same for the same bytes. */
export interface FileChange {
  /** The session's folder. */
  root: string;
  path: FilePath;
  /** The same at each repetition of one change. */
  effect_id: string;
  change(before: CurrentFile): Buffer | null;
  /** Makes the folders on the way to the file where they are missing. */
  makesFolders: boolean;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder);
  await handle.sync();
};

/** Puts bytes in the place of a file, whole or not at all, and on the disk. The place may hold a link, which is replaced. */
const putFile = async (root: string, folder: string, name: string, bytes: Buffer): Promise<void> => {
  // One name for all, so that a crash leaves at most one such file, which the next change removes.
  const unfinished = join(root, hiddenNames.unfinished);
  await rm(unfinished, { force: true, recursive: true });
  {
    await using handle = await open(unfinished, 'wx', 0o600);
    await handle.writeFile(bytes);
    await handle.sync();
  }
  await rename(unfinished, join(folder, name));
  await syncFolder(folder);
};

const currentFile = async (path: string): Promise<CurrentFile> => {
  const opened = await openEntry(path);
  if (opened === null) return { id: null, bytes: null, size: 0 };
  await using _closed = opened.handle;
  const { size, mtimeMs, ino } = opened.stats;
  if (size > FILE_BYTES_MAX) return { id: `${ino}:${size}:${mtimeMs}`, bytes: null, size };
  const bytes = await readStart(opened, FILE_BYTES_MAX);
  return { id: hashOf(bytes), bytes, size: bytes.length };
};

const assertWithinQuota = async (root: string, before: CurrentFile, after: Buffer, quota: FileQuota): Promise<void> => {
  if (after.length > FILE_BYTES_MAX) throw new FileRefused('file_too_large');
  const { files, isWhole } = await listFiles(root);
  if (!isWhole || (before.id === null && files.length >= quota.files)) throw new FileRefused('too_many_files');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes - before.size + after.length > quota.bytes) throw new FileRefused('session_full');
};

/** Makes the folders on the way to a file, one by one, so that none is made behind a link. */
const makeFolders = async (root: string, names: FilePath): Promise<void> => {
  for (const [depth, name] of names.entries()) {
    const parent = await folderWithin(root, names.slice(0, depth));
    await mkdir(join(parent, name), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw leadsNowhere(error) ? new FileRefused('not_found') : error;
    });
  }
};

/** Removes the folders on the way to a file where a deletion or a refusal left them empty, from the innermost outwards. */
const removeEmpty = async (root: string, names: FilePath): Promise<void> => {
  try {
    for (let depth = names.length; depth > 0; depth -= 1) await rmdir(join(root, ...names.slice(0, depth)));
  } catch {
    // It holds other files.
  }
};

/** Makes the change, or finds that it was made before. Gives the file's bytes after it. */
const apply = async (
  { root, path, effect_id, change }: FileChange,
  quota: FileQuota,
  folder: string,
): Promise<Buffer | null> => {
  const name = path.at(-1)!;
  const applied = await readApplied(root);
  const known = applied.find((one) => one.effect_id === effect_id);
  const before = await currentFile(join(folder, name));
  if (known !== undefined && known.after === before.id) return before.bytes;
  if (known !== undefined && known.before !== before.id) throw new FileRefused('changed_meanwhile');
  const after = change(before);
  if (after !== null) await assertWithinQuota(root, before, after, quota);
  if (known === undefined) {
    const begun = { effect_id, before: before.id, after: after === null ? null : hashOf(after) };
    const record = JSON.stringify([...applied, begun].slice(-CHANGES_KEPT));
    await putFile(root, root, hiddenNames.applied, Buffer.from(record));
  }
  if (after !== null) await putFile(root, folder, name, after);
  else if (before.id !== null) {
    await unlink(join(folder, name));
    await syncFolder(folder);
  }
  return after;
};

/** Changes one file of a session, and gives its bytes after that; null: it is deleted. */
export type ChangeFile = (change: FileChange) => Promise<Buffer | null>;

/**
 * Changes one file of a session so that a reader sees the old bytes or the new ones, and that the change is made once, however often it
 * is asked for under its `effect_id`: before a file is changed, a record beside it says from what to what. Rejects with `FileRefused`; `changed_meanwhile` where another program changed the file
 * after a crash in the middle, so that nobody can tell whether the change was made.
 */
const changeWithin = async (quota: FileQuota, change: FileChange): Promise<Buffer | null> => {
  const { root, path, effect_id } = change;
  if (isHidden(path)) throw new FileRefused('invalid_path');
  if (isServiceFile(path)) throw new FileRefused('service_file');
  const names = path.slice(0, -1);
  try {
    if (change.makesFolders) await makeFolders(root, names);
    try {
      return await apply(change, quota, await folderWithin(root, names));
    } finally {
      await removeEmpty(root, names);
    }
  } catch (error) {
    // A deletion that is asked for again finds its folder gone too.
    const isGone = error instanceof FileRefused && error.problem === 'not_found';
    const known = isGone ? (await readApplied(root)).find((one) => one.effect_id === effect_id) : undefined;
    if (known?.after === null) return null;
    // Its session was removed meanwhile, with the folder.
    throw leadsNowhere(error) ? new FileRefused('not_found') : error;
  }
};

/** Makes changes of files within a quota of each session, those of one session's folder one after the other. */
export const createFileChanges = (quota: FileQuota): ChangeFile => {
  const inTurn = queueByKey();
  return (change) => inTurn(change.root, () => changeWithin(quota, change));
};

/** Makes the writer for a data folder. */
export const createFileWriter = (dataDir: string, changeFile: ChangeFile): FileWriter => {
  const workspaceOf = createWorkspaces(dataDir);
  /** Replaces a file's bytes, null to delete it. Gives whether there was none. */
  const put = async (root: string, text: string, bytes: Buffer | null): Promise<boolean> => {
    const path = parseFilePath(text);
    if (path === null) throw new FileRefused('invalid_path');
    let isNew = false;
    const change = ({ id }: CurrentFile): Buffer | null => {
      isNew = id === null;
      if (isNew && bytes === null) throw new FileRefused('not_found');
      return bytes;
    };
    await changeFile({ root, path, effect_id: randomUUID(), makesFolders: bytes !== null, change });
    return isNew;
  };
  return {
    write: (owner, sessionId, path, bytes) => put(workspaceOf(owner, sessionId), path, bytes),
    remove: async (owner, sessionId, path) => {
      await put(workspacePath(dataDir, owner, sessionId), path, null);
    },
  };
};
