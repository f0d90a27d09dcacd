import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { FILE_BYTES_MAX } from '../../contracts/limits.ts';
import { type FilePath, hiddenNames, isHidden, isServiceFile } from './file-path.ts';
import { type FileList, FileRefused, findFile, listFiles } from './read-files.ts';
import { writeFileWhole } from './write-file.ts';

/** Changes remembered: more than can be under way in one session at once. */
const CHANGES_KEPT = 32;

/** The changes that were last begun in a session's folder, oldest first: a hash of the file after each; null where there is none. */
const Begun = z.array(z.object({ effect_id: z.string(), after: z.string().nullable() }));

const readBegun = (root: string): z.infer<typeof Begun> => {
  try {
    return Begun.parse(JSON.parse(readFileSync(join(root, hiddenNames.applied), 'utf8')));
  } catch {
    return [];
  }
};

/** Limits of all files of a session: bytes, and their number. */
export interface FileQuota {
  bytes: number;
  files: number;
}

/** A file as a change finds it: its size in bytes, null where there is none, and its bytes where it is no larger than `FILE_BYTES_MAX`. */
export interface CurrentFile {
  size: number | null;
  bytes: Buffer | null;
}

/** A change of one file. `change` gives the file's new bytes, null to delete it; it may refuse, and must give the same for the same bytes. */
export interface FileChange {
  root: string;
  path: FilePath;
  /** The same at each repetition of one change; undefined for one that is never repeated. */
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

/** Removes the folders on the way to a deleted file that it left empty, from the innermost outwards. */
const removeEmpty = (root: string, folder: string): void => {
  try {
    for (let each = folder; each !== root; each = dirname(each)) rmdirSync(each);
  } catch {
    // It holds other files.
  }
};

/** Makes the change, or finds that it was made before. Gives the file's bytes after it. */
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

/** Changes one file of a session, and gives its bytes after that; null: it is deleted. */
export type ChangeFile = (change: FileChange) => Promise<Buffer | null>;

/** Makes changes of files within a quota, whole and once for each `effect_id`: a record beside the file says to what. Rejects with `FileRefused`. */
export const createFileChanges =
  (quota: FileQuota): ChangeFile =>
  async (change) => {
    if (isHidden(change.path)) throw new FileRefused('invalid_path');
    if (isServiceFile(change.path)) throw new FileRefused('service_file');
    const list = await listFiles(change.root);
    // Synchronous, so that nothing of this process comes between its steps.
    return apply(change, list, quota);
  };
