import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { FILE_BYTES_MAX } from '../../contracts/limits.ts';
import { type FilePath, hiddenNames, isHidden, isServiceFile } from './file-path.ts';
import { type FileList, FileRefused, findFile, listFiles } from './read-files.ts';
import { writeFileWhole } from './write-file.ts';

/** Number of changes remembered: more than can be in progress in one session at once. */
const CHANGES_KEPT = 32;

/**
 * The changes that were started last in a session's folder, oldest first, each with a hash of the file after it; null:
 * deleted.
 */
const Begun = z.array(z.object({ effect_id: z.string(), after: z.string().nullable() }));

const readBegun = (root: string): z.infer<typeof Begun> => {
  try {
    return Begun.parse(JSON.parse(readFileSync(join(root, hiddenNames.applied), 'utf8')));
  } catch {
    return [];
  }
};

/** Limits for all files of a session: total bytes, and their number. */
export interface FileQuota {
  bytes: number;
  files: number;
}

/**
 * A file before a change: its size in bytes, null if there is none, and its bytes if it is at most `FILE_BYTES_MAX`
 * long.
 */
export interface CurrentFile {
  size: number | null;
  bytes: Buffer | null;
}

/**
 * A change of one file. `change` returns the file's new bytes, or null to delete it. It may refuse, and must return the
 * same result for the same bytes.
 */
export interface FileChange {
  root: string;
  path: FilePath;
  /** The same at each repetition of a change; undefined if it is never repeated. */
  effect_id?: string;
  change(before: CurrentFile): Buffer | null;
}

const hashOf = (bytes: Buffer | null): string | null => bytes && createHash('sha256').update(bytes).digest('base64url');

const assertWithinQuota = (list: FileList, { size }: CurrentFile, after: Buffer, quota: FileQuota): void => {
  if (after.length > FILE_BYTES_MAX) throw new FileRefused('file_too_large');
  if (!list.isWhole || (size === null && list.files.length >= quota.files)) throw new FileRefused('too_many_files');
  const bytes = list.files.reduce((sum, file) => sum + file.size, 0);
  if (bytes - (size ?? 0) + after.length > quota.bytes) throw new FileRefused('session_full');
};

/** Removes the parent folders that a deleted file left empty, innermost first. */
const removeEmpty = (root: string, folder: string): void => {
  try {
    for (let each = folder; each !== root; each = dirname(each)) rmdirSync(each);
  } catch {
    // It contains other files.
  }
};

/** Makes the change, or finds that it was already made. Returns the file's bytes after it. */
const apply = ({ root, path, effect_id, change }: FileChange, list: FileList, quota: FileQuota): Buffer | null => {
  const temporary = join(root, hiddenNames.unfinished);
  const { file, size } = findFile(root, path);
  const before = { size, bytes: size === null || size > FILE_BYTES_MAX ? null : readFileSync(file) };
  const begun = readBegun(root);
  const known = begun.find((one) => one.effect_id === effect_id);
  const isMade = known?.after === null ? size === null : known?.after === hashOf(before.bytes);
  if (known !== undefined && isMade) return before.bytes;
  const after = change(before);
  if (after !== null) assertWithinQuota(list, before, after, quota);
  if (effect_id !== undefined) {
    const record = [...begun.filter((one) => one !== known), { effect_id, after: hashOf(after) }].slice(-CHANGES_KEPT);
    writeFileWhole(join(root, hiddenNames.applied), JSON.stringify(record), { isDurable: true, temporary });
  }
  if (after === null) {
    rmSync(file);
    removeEmpty(root, dirname(file));
  } else {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileWhole(file, after, { isDurable: true, temporary });
  }
  return after;
};

/** Changes one file of a session and returns its bytes afterwards; null: deleted. */
export type ChangeFile = (change: FileChange) => Promise<Buffer | null>;

/**
 * Creates the function that changes files within a quota, atomically and once for each `effect_id`, which a record in
 * the folder ensures. Rejects with `FileRefused`.
 */
export const createFileChanges =
  (quota: FileQuota): ChangeFile =>
  async (change) => {
    if (isHidden(change.path)) throw new FileRefused('invalid_path');
    if (isServiceFile(change.path)) throw new FileRefused('service_file');
    const list = await listFiles(change.root);
    // Synchronous, so that nothing in this process runs between its steps.
    return apply(change, list, quota);
  };
