import { Readable } from 'node:stream';
import { FileRefused, parseFilePath } from './file-path.ts';
import { workspacePath } from './folder.ts';
import type { ReadableFile, SessionFiles } from './port.ts';
import { listFiles, type OpenedFile, openFile, readStart, textOfBytes } from './read-files.ts';

/** Bytes by which a file is taken for text or not. */
const SNIFFED_BYTES = 8 * 1024;

const readable = async (opened: OpenedFile): Promise<ReadableFile> => {
  const { handle, stats } = opened;
  const isText = textOfBytes(await readStart(opened, SNIFFED_BYTES), stats.size > SNIFFED_BYTES) !== null;
  return {
    isText,
    // What is appended meanwhile is not part of it.
    stream: () => (stats.size === 0 ? emptied(opened) : handle.createReadStream({ start: 0, end: stats.size - 1 })),
    close: () => handle.close(),
  };
};

const emptied = ({ handle }: OpenedFile): Readable => {
  void handle.close();
  return Readable.from([]);
};

/** Reads a session's folder; null where the folder or the file is not there. */
const unlessRefused = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
};

/** Makes the files of all sessions of a data folder readable. */
export const createSessionFiles = (dataDir: string): SessionFiles => ({
  list: async (owner, sessionId, { limit, after = '' }) => {
    const listed = await unlessRefused(() => listFiles(workspacePath(dataDir, owner, sessionId)));
    const left = (listed?.files ?? []).filter(({ path }) => path > after);
    const items = left.slice(0, limit);
    return { items, next: left.length > limit ? items.at(-1)!.path : null };
  },
  open: async (owner, sessionId, text) => {
    const path = parseFilePath(text);
    if (path === null) return null;
    const opened = await unlessRefused(() => openFile(workspacePath(dataDir, owner, sessionId), path));
    return opened === null ? null : readable(opened);
  },
});
