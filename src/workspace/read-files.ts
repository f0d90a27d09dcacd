import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FilePath, isHidden, parseFilePath } from './file-path.ts';

export interface ListedFile {
  /** Its path in the session's folder. */
  path: string;
  /** In bytes. */
  size: number;
  /** Epoch milliseconds. */
  modified_at: number;
}

/** Why a session's file cannot be listed, read or changed. */
export type FileProblem =
  | 'invalid_path'
  | 'service_file'
  | 'not_found'
  | 'not_a_file'
  | 'not_text'
  | 'file_too_large'
  | 'session_full'
  | 'too_many_files';

export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Most entries of a session's folder that are examined: other programs may create any number. */
const ENTRIES_MAX = 10_000;

/** The files of a session by path, in order of the path. */
export interface FileList {
  files: ListedFile[];
  /** False if there are more entries than `ENTRIES_MAX`, so that some were not examined. */
  isWhole: boolean;
}

/**
 * The location and size of a file in a session's folder; null: nothing is there. Throws `FileRefused` for a link or
 * anything but a regular file.
 */
export const findFile = (root: string, path: FilePath): { file: string; size: number | null } => {
  const file = join(root, ...path);
  for (let depth = 0; depth < path.length; depth += 1) {
    const folder = lstatSync(join(root, ...path.slice(0, depth)), { throwIfNoEntry: false });
    if (folder === undefined && depth > 0) return { file, size: null };
    if (folder?.isDirectory() !== true) throw new FileRefused('not_found');
  }
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw new FileRefused('not_a_file');
  return { file, size: stats?.size ?? null };
};

/** The first `bytesMax` bytes of a file. Throws the system's error if there is none. */
export const readStart = (file: string, bytesMax: number): Buffer => {
  const opened = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(bytesMax);
    return bytes.subarray(0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
};

/**
 * The bytes as text; null if they are not text: not UTF-8, or with a NUL. `isCut`: more bytes follow, so the last
 * character may be incomplete.
 */
export const textOfBytes = (bytes: Buffer, isCut: boolean): string | null => {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
};

/** Handles a rejection: gives `nothing` where there is no such file, and throws every other error. */
export const orNothing =
  <Value>(nothing: Value) =>
  (error: unknown): Value => {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return nothing;
    throw error;
  };

/**
 * Lists the files of a session's folder; empty if the folder is gone. Skips links, devices and names that no path can
 * have.
 */
export const listFiles = async (root: string, isPassedOver = isHidden): Promise<FileList> => {
  const files: ListedFile[] = [];
  let seen = 0;
  const visit = async (names: FilePath): Promise<void> => {
    const folder = join(root, ...names);
    // A listed file may be removed at any moment.
    const stats = await lstat(folder).catch(orNothing(null));
    if (stats?.isDirectory() !== true) return;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(orNothing([]))) {
      seen += 1;
      if (seen > ENTRIES_MAX) return;
      const path = [...names, entry.name];
      if (isPassedOver(path) || parseFilePath(path.join('/')) === null) continue;
      if (entry.isDirectory()) await visit(path);
      const found = entry.isFile() ? await lstat(join(folder, entry.name)).catch(orNothing(null)) : null;
      if (found === null) continue;
      files.push({ path: path.join('/'), size: found.size, modified_at: Math.round(found.mtimeMs) });
    }
  };
  await visit([]);
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), isWhole: seen <= ENTRIES_MAX };
};
