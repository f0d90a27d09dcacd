import { createReadStream } from 'node:fs';
import type { ChangeFile } from './change-file.ts';
import { isHidden, parseFilePath } from './file-path.ts';
import { createWorkspaces, workspacePath } from './folder.ts';
import { FileRefused, type SessionFiles } from './port.ts';
import { findFile, listFiles, readStart, textOfBytes } from './read-files.ts';

/** Bytes by which a file is taken for text or not. */
const SNIFFED_BYTES = 8 * 1024;

/** Makes the files of all sessions of a data folder readable, and changes them by their paths. */
export const createSessionFiles = (dataDir: string, changeFile: ChangeFile): SessionFiles => {
  const workspaceOf = createWorkspaces(dataDir);
  const pathIn = (text: string) => {
    const path = parseFilePath(text);
    if (path === null) throw new FileRefused('invalid_path');
    return path;
  };
  return {
    list: async (owner, sessionId, { limit, after = '' }) => {
      const { files } = await listFiles(workspacePath(dataDir, owner, sessionId));
      const left = files.filter(({ path }) => path > after);
      const items = left.slice(0, limit);
      return { items, next: left.length > limit ? items.at(-1)!.path : null };
    },
    open: (owner, sessionId, text) => {
      try {
        const path = pathIn(text);
        const { file, size } = findFile(workspacePath(dataDir, owner, sessionId), path);
        if (size === null || isHidden(path)) return null;
        const isText = textOfBytes(readStart(file, SNIFFED_BYTES), size > SNIFFED_BYTES) !== null;
        // Text appended meanwhile is not part of it.
        return { isText, stream: () => createReadStream(file, { start: 0, end: Math.max(0, size - 1) }) };
      } catch (error) {
        if (error instanceof FileRefused) return null;
        throw error;
      }
    },
    write: async (owner, sessionId, text, bytes) => {
      let isNew = false;
      const change = ({ size }: { size: number | null }): Buffer => {
        isNew = size === null;
        return bytes;
      };
      await changeFile({ root: workspaceOf(owner, sessionId), path: pathIn(text), change });
      return isNew;
    },
    remove: async (owner, sessionId, text) => {
      const change = ({ size }: { size: number | null }): null => {
        if (size === null) throw new FileRefused('not_found');
        return null;
      };
      await changeFile({ root: workspacePath(dataDir, owner, sessionId), path: pathIn(text), change });
    },
  };
};
