import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { FILE_BYTES_MAX } from '../../contracts/limits.ts';
import { createLoopSlices } from '../event-loop/loop-slices.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { readApplied, recordWith } from './applied-changes.ts';
import { type FilePath, hiddenNames, isHidden, isServiceFile } from './file-path.ts';
import { FileRefused } from './file-problem.ts';
import { listFiles } from './list-files.ts';
import { openEntry, readStart } from './open-file.ts';
import { type OpenFolder, withinFolder } from './open-folder.ts';

/** Writing into a file that is new. */
const CREATING = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** What a session's files may take. */
export interface FileQuota {
  /** Bytes of all files of a session. */
  bytes: number;
  /** Files of a session. */
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
  quota: FileQuota;
}

const hashOf = (bytes: Buffer | null): string | null =>
  bytes === null ? null : createHash('sha256').update(bytes).digest('base64url');

/** Puts bytes in the place of a file, whole or not at all, and on the disk. The place may hold a link, which is replaced. */
const putFile = async (root: OpenFolder, folder: OpenFolder, name: string, bytes: Buffer): Promise<void> => {
  // One name for all, so that a crash leaves at most one such file, which the next change removes.
  const unfinished = root.at(hiddenNames.unfinished);
  await rm(unfinished, { force: true, recursive: true });
  const handle = await open(unfinished, CREATING, 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, folder.at(name));
  await folder.sync();
};

const NO_FILE: CurrentFile = { id: null, bytes: null, size: 0 };

const currentFile = async (folder: OpenFolder, name: string): Promise<CurrentFile> => {
  const opened = await openEntry(folder, name);
  if (opened === null) return NO_FILE;
  try {
    const { size, mtimeMs, ino } = opened.stats;
    if (size > FILE_BYTES_MAX) return { id: `${ino}:${size}:${mtimeMs}`, bytes: null, size };
    const bytes = await readStart(opened, FILE_BYTES_MAX);
    return { id: hashOf(bytes), bytes, size: bytes.length };
  } finally {
    await opened.handle.close();
  }
};

const assertWithinQuota = async (root: string, before: CurrentFile, after: Buffer, quota: FileQuota): Promise<void> => {
  if (after.length > FILE_BYTES_MAX) throw new FileRefused('file_too_large');
  const { files, isWhole } = await listFiles(root);
  if (!isWhole || (before.id === null && files.length >= quota.files)) throw new FileRefused('too_many_files');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes - before.size + after.length > quota.bytes) throw new FileRefused('session_full');
};

/** Removes folders that a deletion left empty, from the innermost outwards. */
const removeEmpty = async (chain: readonly OpenFolder[], names: readonly string[]): Promise<void> => {
  try {
    for (let depth = names.length; depth > 0; depth -= 1) await rmdir(chain[depth - 1]!.at(names[depth - 1]!));
  } catch {
    // It holds other files.
  }
};

const inTurn = queueByKey();

/** A file of the largest size takes some milliseconds to change, and those of many sessions may have been read in the same moment. */
const inSlices = createLoopSlices();

/** Makes the change, or finds that it was made before. Gives the file's bytes after it. */
const apply = async ({ root: folderPath, path, ...wanted }: FileChange): Promise<Buffer | null> => {
  const { effect_id, change, makesFolders, quota } = wanted;
  const names = path.slice(0, -1);
  const name = path.at(-1)!;
  const work = async (folder: OpenFolder, chain: readonly OpenFolder[]): Promise<Buffer | null> => {
    const root = chain[0]!;
    const applied = await readApplied(root);
    const known = applied.find((one) => one.effect_id === effect_id);
    const before = await currentFile(folder, name);
    if (known !== undefined && known.after === before.id) return before.bytes;
    if (known !== undefined && known.before !== before.id) throw new FileRefused('changed_meanwhile');
    await inSlices.next();
    const after = change(before);
    if (after !== null) await assertWithinQuota(folderPath, before, after, quota);
    if (known === undefined) {
      const begun = { effect_id, path: path.join('/'), before: before.id, after: hashOf(after) };
      await putFile(root, root, hiddenNames.applied, recordWith(applied, begun));
    }
    if (after !== null) await putFile(root, folder, name, after);
    else if (before.id !== null) {
      await unlink(folder.at(name));
      await folder.sync();
    }
    return after;
  };
  const tidied = async (folder: OpenFolder, chain: readonly OpenFolder[]): Promise<Buffer | null> => {
    try {
      return await work(folder, chain);
    } finally {
      // Also after a refusal, for which folders may have been made.
      await removeEmpty(chain, names);
    }
  };
  try {
    return await withinFolder(folderPath, names, tidied, { makes: makesFolders });
  } catch (error) {
    if (!(error instanceof FileRefused) || error.problem !== 'not_found') throw error;
    // A deletion that is asked for again finds its folder gone too.
    const applied = await withinFolder(folderPath, [], readApplied);
    if (applied.find((one) => one.effect_id === effect_id)?.after === null) return null;
    throw error;
  }
};

/**
 * Changes one file of a session so that a reader sees the old bytes or the new ones, and that the change is made once, however often it
 * is asked for under its `effect_id`: before a file is changed, a record beside it says from what to what. Changes of one session are
 * made one after the other. Rejects with `FileRefused`; `changed_meanwhile` where another program changed the file after a crash
 * in the middle, so that nobody can tell whether the change was made.
 */
export const changeFile = (change: FileChange): Promise<Buffer | null> => {
  if (isHidden(change.path)) return Promise.reject(new FileRefused('invalid_path'));
  if (isServiceFile(change.path)) return Promise.reject(new FileRefused('service_file'));
  return inTurn(change.root, () => apply(change));
};
