import { createReadStream } from 'node:fs';
import type { Page, PageRequest } from '../lib/page.ts';
import type { ChangeFile, CurrentFile } from './change-file.ts';
import { type FilePath, isHidden, parseFilePath } from './file-path.ts';
import { workspacePath } from './folder.ts';
import type { Within } from './port.ts';
import { FileRefused, findFile, type ListedFile, listFiles, readStart, textOfBytes } from './read-files.ts';

/** Bytes that decide whether a file counts as text. */
const SNIFFED_BYTES = 8 * 1024;

/**
 * Reads and changes the files of all sessions of a data folder by path. Follows no link, and shows and changes nothing
 * outside the folder.
 */
export const createSessionFiles = (dataDir: string, changeFile: ChangeFile, within: Within) => {
  const pathIn = (text: string): FilePath => {
    const path = parseFilePath(text);
    if (path === null) throw new FileRefused('invalid_path');
    return path;
  };
  return {
    /**
     * A page of a session's files in order of their paths; empty if it has no folder. `after` is the last path of the
     * previous page.
     */
    list: async (owner: string, sessionId: string, { limit, after = '' }: PageRequest): Promise<Page<ListedFile>> => {
      const root = workspacePath(dataDir, owner, sessionId);
      const { files } = await within({ owner, session_id: sessionId }, null, () => listFiles(root));
      const left = files.filter(({ path }) => path > after);
      const items = left.slice(0, limit);
      return { items, next: left.length > limit ? items.at(-1)!.path : null };
    },
    /** Opens a file: whether it begins like UTF-8 text, and its current bytes; null if there is no such file. */
    open: async (owner: string, sessionId: string, text: string) => {
      try {
        const path = pathIn(text);
        await within({ owner, session_id: sessionId }, null, async () => {});
        const { file, size } = findFile(workspacePath(dataDir, owner, sessionId), path);
        if (size === null || isHidden(path)) return null;
        const isText = textOfBytes(readStart(file, SNIFFED_BYTES), size > SNIFFED_BYTES) !== null;
        // Text that is appended meanwhile is not included.
        return { isText, stream: () => createReadStream(file, { start: 0, end: Math.max(0, size - 1) }) };
      } catch (error) {
        if (error instanceof FileRefused) return null;
        throw error;
      }
    },
    /** Writes a file and its parent folders. Returns whether it is new. Rejects with `FileRefused`. */
    write: async (owner: string, sessionId: string, text: string, bytes: Buffer): Promise<boolean> => {
      let isNew = false;
      const change = ({ size }: CurrentFile): Buffer => {
        isNew = size === null;
        return bytes;
      };
      await within({ owner, session_id: sessionId }, null, (folderOf) =>
        changeFile({ root: folderOf(owner, sessionId), path: pathIn(text), change }),
      );
      return isNew;
    },
    /** Deletes a file. Rejects with `FileRefused`; `not_found`: no such file. */
    remove: async (owner: string, sessionId: string, text: string): Promise<void> => {
      const change = ({ size }: CurrentFile): null => {
        if (size === null) throw new FileRefused('not_found');
        return null;
      };
      await within({ owner, session_id: sessionId }, null, async (folderOf) => {
        await changeFile({ root: workspacePath(dataDir, owner, sessionId), path: pathIn(text), change });
        folderOf(owner, sessionId);
      });
    },
  };
};

export type SessionFiles = ReturnType<typeof createSessionFiles>;
