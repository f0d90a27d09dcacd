import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { isEnded, type TaskSnapshot } from '../../contracts/task.ts';
import { type FilePath, hiddenNames } from './file-path.ts';
import { workspacePath } from './folder.ts';
import type { Session, Within } from './port.ts';
import { findFile } from './read-files.ts';
import { writeFileWhole } from './write-file.ts';

/** Longest stored result, in characters: it takes a hundred calls to read. */
const RESULT_CHARS_KEPT = 1_000_000;

/** Bytes of the results of one task; the oldest are deleted first. */
const RESULTS_BYTES_MAX = 16 * 1024 * 1024;

/** Numbers of actions: `7`, or `7.1` for those performed at the same time. */
const RESULT_ID = /^\d{1,15}(?:\.\d{1,3})?$/;

const pathOf = (taskId: string, id: string): FilePath => [hiddenNames.results, taskId, `${id}.txt`];

const removeOldest = (folder: string): void => {
  const files = readdirSync(folder).map((name) => ({ file: join(folder, name), id: Number.parseFloat(name) }));
  let bytes = 0;
  for (const { file } of files.sort((one, other) => other.id - one.id)) {
    bytes += statSync(file).size;
    if (bytes > RESULTS_BYTES_MAX) rmSync(file);
  }
};

/** Stores an action's whole result in the session's folder, under the action's number. Throws the system's error. */
export const keepResult = (root: string, taskId: string, id: string, text: string): void => {
  // Refuses a link in place of a folder.
  const { file } = findFile(root, pathOf(taskId, id));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileWhole(file, Buffer.from(text.slice(0, RESULT_CHARS_KEPT).toWellFormed()), { isDurable: true });
  removeOldest(dirname(file));
};

/** The whole result of an action; null if there is none, for example because the number belongs to no action. */
export const readKeptResult = (root: string, taskId: string, id: string): string | null => {
  if (!RESULT_ID.test(id)) return null;
  const { file, size } = findFile(root, pathOf(taskId, id));
  return size === null ? null : readFileSync(file, 'utf8');
};

/** Creates the removal of a task's results once it has ended and nobody reads them any more. Never throws. */
export const createForgetResults = (dataDir: string, within: Within, log: Logger) => {
  const folderIn = (root: string, taskId: string): string => join(root, hiddenNames.results, taskId);
  return (session: Session, { state, context: { task_id } }: TaskSnapshot): void => {
    const { owner, session_id } = session;
    if (!isEnded(state) || !existsSync(folderIn(workspacePath(dataDir, owner, session_id), task_id))) return;
    within(session, null, async (folderOf) =>
      rmSync(folderIn(folderOf(owner, session_id), task_id), { recursive: true, force: true }),
    ).catch((error: unknown) => log.error({ err: error, session_id }, 'the results of a task cannot be removed'));
  };
};
