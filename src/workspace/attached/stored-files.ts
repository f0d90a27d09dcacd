import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { AttachedFile } from '../../../contracts/file.ts';
import { fileName } from '../../../contracts/file.ts';
import { piecesOfFile } from '../../lib/file-pieces.ts';
import { isInstalled } from '../../lib/optional-packages.ts';
import { queueByKey } from '../../lib/queue-by-key.ts';
import { hiddenNames } from '../file-path.ts';
import { workspacePath } from '../folder.ts';
import { kindOf, READERS } from '../media-types.ts';
import type { Session, StoredFiles } from '../port.ts';
import { readText } from '../text-encoding.ts';
import { writeFileWhole } from '../write-file.ts';
import { findIntact, findStored } from './find-stored.ts';

/** Longest text of a PDF or an Office file that is kept, in characters. */
const TEXT_CHARS_KEPT = 1_000_000;

/** Time and memory for reading one file. A file that takes more counts as unreadable. */
const READING_MS_MAX = 30_000;
const HEAP_MIB_MAX = 512;

/** Processes that read files at the same time. */
const LANES = 2;

const SCRIPT = fileURLToPath(new URL('./text-process.mjs', import.meta.url));

/**
 * Reads a file's text in a process of its own, which may write nothing: a file may be made to harm its reader. Rejects
 * where it fails, or takes too much time or memory.
 */
const readInProcess = (reader: string, file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const limits = [`--max-old-space-size=${HEAP_MIB_MAX}`, '--permission', '--allow-fs-read=*'];
    const options = { env: {}, timeout: READING_MS_MAX, killSignal: 'SIGKILL' as const, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [...limits, SCRIPT, reader, file], options, (error, text) =>
      error === null ? resolve(text) : reject(error),
    );
  });

/** Creates the reader of files that turns and tools brought, for models. Everything is read from the session's folder. */
export const createStoredFiles = (dataDir: string, log: Logger): StoredFiles => {
  const inLane = queueByKey();
  const rootOf = ({ owner, session_id }: Session): string => workspacePath(dataDir, owner, session_id);

  /** Where the text of a PDF or an Office file lies, which is read from the file once. */
  const findText = async (root: string, file: AttachedFile, there: string): Promise<string | null> => {
    const reader = READERS[file.media_type];
    if (reader === undefined || !isInstalled(reader)) return null;
    const kept = [hiddenNames.texts, `${file.sha256}.txt`].join('/');
    const before = findStored(root, kept);
    if (before !== null) return before.file;
    try {
      const read = await inLane(String(Number.parseInt(file.sha256.slice(0, 2), 16) % LANES), () =>
        readInProcess(reader, there),
      );
      const text = read.slice(0, TEXT_CHARS_KEPT).toWellFormed();
      mkdirSync(dirname(join(root, kept)), { recursive: true, mode: 0o700 });
      writeFileWhole(join(root, kept), text);
      return join(root, kept);
    } catch (err) {
      log.warn({ err, media_type: file.media_type, name: fileName(file) }, 'the text of a file cannot be read');
      return null;
    }
  };

  return {
    isThere: async (session, file) => (await findIntact(rootOf(session), file)) !== null,
    open: async (session, file) => {
      const there = await findIntact(rootOf(session), file);
      return there === null ? null : { size: file.bytes, stream: () => piecesOfFile(there) };
    },
    textOf: async (session, file, part) => {
      const root = rootOf(session);
      const there = await findIntact(root, file);
      if (there === null) return null;
      const text = kindOf(file.media_type) === 'text' ? there : await findText(root, file, there);
      return text === null ? null : readText(() => piecesOfFile(text), part);
    },
  };
};
