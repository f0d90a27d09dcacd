import { createHash } from 'node:crypto';
import type { AttachedFile } from '../../../contracts/file.ts';
import { piecesOfFile } from '../../lib/file-pieces.ts';
import { parseFilePath } from '../file-path.ts';
import { FileRefused, findFile } from '../read-files.ts';

const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const piece of piecesOfFile(file)) hash.update(piece);
  return hash.digest('hex');
};

/** Where a file lies and its size; null: nothing is there that a file of a user could be. */
export const findStored = (root: string, path: string): { file: string; size: number } | null => {
  try {
    const { file, size } = findFile(root, parseFilePath(path) ?? []);
    return size === null ? null : { file, size };
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
};

/** Where a file lies that is still what an event says of it; null: it is gone, or other bytes lie there now. */
export const findIntact = async (root: string, { path, sha256, bytes }: AttachedFile): Promise<string | null> => {
  const there = findStored(root, path);
  if (there === null || there.size !== bytes) return null;
  return (await sha256Of(there.file).catch(() => null)) === sha256 ? there.file : null;
};
