import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Page, PageRequest } from '../lib/page.ts';
import type { ChangeFile, CurrentFile } from './change-file.ts';
import { type FilePath, isHidden, parseFilePath } from './file-path.ts';
import { workspacePath } from './folder.ts';
import { kindOf, typeByName } from './media-types.ts';
import type { Within } from './port.ts';
import { FileRefused, findFile, type ListedFile, listFiles, readStart, textOfBytes } from './read-files.ts';

/** The media type of bytes that pages may show as they are; null: any other. */
const shownType = async (start: Buffer): Promise<string | null> => {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(start))?.mime ?? '';
  return ['image', 'pdf'].includes(kindOf(type)) ? type : null;
};

/** The folder beside the sessions' folders in which files arrive. */
const STAGES = '.arriving';

/** The files that the service writes as copies for people. */
const OWN_FILES = /^(MISSION\.md|plan(\.[^/]+)?\.json)$/;

/** Written files that a front end offers behind a reply: more would bury it. */
const WRITTEN_MAX = 10;

/** A file that a task wrote. */
export interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly media_type: string;
}

/** A time, in epoch milliseconds. */
export interface Period {
  readonly since: number;
  readonly until: number;
}

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
  const stages = join(dataDir, 'workspace', STAGES);
  return {
    /** Where the next file that arrives may be written: a place of its own, outside all sessions. */
    newStage: (): string => join(stages, randomBytes(16).toString('hex')),
    /** Writes a file that arrives, piece by piece. */
    stage: async (place: string, arriving: Readable): Promise<void> => {
      await mkdir(stages, { recursive: true, mode: 0o700 });
      await pipeline(arriving, createWriteStream(place, { mode: 0o600, flags: 'wx' }));
    },
    unstage: (place: string): Promise<void> => rm(place, { force: true }),
    /** Removes what arrived in a process that died. */
    emptyStages: (): Promise<void> => rm(stages, { recursive: true, force: true }),
    /**
     * A page of a session's files in order of their paths; empty if it has no folder. `after` is the last path of the
     * previous page; `since` leaves out what was changed before, in epoch milliseconds.
     */
    list: async (
      owner: string,
      sessionId: string,
      { limit, after = '' }: PageRequest,
      since = 0,
    ): Promise<Page<ListedFile>> => {
      const root = workspacePath(dataDir, owner, sessionId);
      const { files } = await within({ owner, session_id: sessionId }, null, () => listFiles(root));
      const left = files.filter(({ path, modified_at }) => path > after && modified_at >= since);
      const items = left.slice(0, limit);
      return { items, next: left.length > limit ? items.at(-1)!.path : null };
    },
    /**
     * The files that were written within one of these times: the first of them by path, never the service's own. Their
     * media types go by their names.
     */
    written: async (owner: string, sessionId: string, periods: readonly Period[]): Promise<WrittenFile[]> => {
      const root = workspacePath(dataDir, owner, sessionId);
      const { files } = await within({ owner, session_id: sessionId }, null, () => listFiles(root));
      const isWithin = (at: number): boolean => periods.some(({ since, until }) => at >= since && at <= until);
      return files
        .filter(({ path, modified_at }) => isWithin(modified_at) && !OWN_FILES.test(path))
        .slice(0, WRITTEN_MAX)
        .map(({ path, size }) => ({ path, size, media_type: typeByName(path) }));
    },
    /**
     * Opens a file: whether it begins like UTF-8 text, the media type of an image or PDF (null: neither), its size and its
     * current bytes; null if there is no such file.
     */
    open: async (owner: string, sessionId: string, text: string) => {
      try {
        const path = pathIn(text);
        await within({ owner, session_id: sessionId }, null, async () => {});
        const { file, size } = findFile(workspacePath(dataDir, owner, sessionId), path);
        if (size === null || isHidden(path)) return null;
        const start = readStart(file, SNIFFED_BYTES);
        const isText = textOfBytes(start, size > SNIFFED_BYTES) !== null;
        const mediaType = isText ? null : await shownType(start);
        // Text that is appended meanwhile is not included.
        const stream = (): Readable => createReadStream(file, { start: 0, end: Math.max(0, size - 1) });
        return { isText, mediaType, size, stream };
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
