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
    // Text appended meanwhile is not part of it.
    stream: () => handle.createReadStream({ start: 0, end: Math.max(0, stats.size - 1) }),
    close: () => handle.close(),
  };
};

const unlessRefused =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof FileRefused) return value;
    throw error;
  };

/** Makes the files of all sessions of a data folder readable. */
export const createSessionFiles = (dataDir: string): SessionFiles => ({
  list: async (owner, sessionId, { limit, after = '' }) => {
    const { files } = await listFiles(workspacePath(dataDir, owner, sessionId)).catch(unlessRefused({ files: [] }));
    const left = files.filter(({ path }) => path > after);
    const items = left.slice(0, limit);
    return { items, next: left.length > limit ? items.at(-1)!.path : null };
  },
  open: async (owner, sessionId, text) => {
    const path = parseFilePath(text);
    if (path === null) return null;
    const opened = await openFile(workspacePath(dataDir, owner, sessionId), path).catch(unlessRefused(null));
    return opened === null ? null : readable(opened);
  },
});
