import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AttachedFile } from '../../../contracts/file.ts';
import { ServiceError } from '../../lib/errors.ts';
import { piecesOfFile } from '../../lib/file-pieces.ts';
import { queueByKey } from '../../lib/queue-by-key.ts';
import type { FileQuota } from '../change-file.ts';
import { hiddenNames, parseFilePath } from '../file-path.ts';
import type { CheckedFile, Session, Within } from '../port.ts';
import { FileRefused, findFile, listFiles } from '../read-files.ts';
import { findIntact } from './find-stored.ts';
import { numbered } from './stored-name.ts';

/** The folder for files of users and tools in a session's folder. */
const FOLDER = 'files';

/** Names tried for one file: more than a session may have files. */
const NAMES_MAX = 10_000;

/** The files of a turn or of a result: each file's place, and the bytes of those that are new. */
export interface Placed {
  readonly files: AttachedFile[];
  readonly isNew: readonly { readonly file: AttachedFile; readonly from: CheckedFile['from'] }[];
}

/** True if nothing has that name: neither a file nor a link or folder. Throws where `files` is no folder. */
const isFree = (root: string, path: string): boolean => {
  try {
    return findFile(root, parseFilePath(path) ?? []).size === null;
  } catch (error) {
    if (error instanceof FileRefused && error.problem === 'not_a_file') return false;
    if (error instanceof FileRefused)
      throw new ServiceError('INVALID_REQUEST', `"${FOLDER}" in the folder of this session is not a folder`);
    throw error;
  }
};

/** Writes bytes to a file and syncs them; piece by piece from another file. */
const writeDurably = async (place: string, from: Buffer | string): Promise<void> => {
  const handle = await open(place, 'w', 0o600);
  try {
    if (Buffer.isBuffer(from)) await handle.writeFile(from);
    else for await (const piece of piecesOfFile(from)) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Syncs a folder, so that names in it are as durable as bytes. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Finds each file's place: where one with its bytes lies already, else under the first free name like its own. */
const place = async (root: string, files: readonly CheckedFile[]): Promise<Placed> => {
  const placed: AttachedFile[] = [];
  const isNew: { file: AttachedFile; from: CheckedFile['from'] }[] = [];
  for (const { name, from, ...facts } of files) {
    if ('path' in from) {
      placed.push({ path: from.path, ...facts });
      continue;
    }
    for (let n = 1; n <= NAMES_MAX; n += 1) {
      const file = { path: `${FOLDER}/${numbered(name, n)}`, ...facts };
      const before = isNew.find((one) => one.file.path === file.path);
      const isSame =
        before === undefined ? (await findIntact(root, file)) !== null : before.file.sha256 === file.sha256;
      if (!isSame && (before !== undefined || !isFree(root, file.path))) continue;
      if (!isSame) isNew.push({ file, from });
      placed.push(file);
      break;
    }
  }
  return { files: placed, isNew };
};

const assertRoom = async (root: string, isNew: Placed['isNew'], quota: FileQuota): Promise<void> => {
  if (isNew.length === 0) return;
  const { files, isWhole } = await listFiles(root);
  const bytes = [...files.map(({ size }) => size), ...isNew.map(({ file }) => file.bytes)].reduce((a, b) => a + b, 0);
  if (!isWhole || files.length + isNew.length > quota.files)
    throw new ServiceError('INPUT_TOO_LARGE', `A session has at most ${quota.files} files; delete some`);
  if (bytes > quota.bytes)
    throw new ServiceError(
      'INPUT_TOO_LARGE',
      `The files of a session have at most ${quota.bytes} bytes together; delete some, or send less`,
    );
};

/** Finds places for the files, and room for those that are new. */
export const placeWithin = async (root: string, files: readonly CheckedFile[], quota: FileQuota): Promise<Placed> => {
  const placed = await place(root, files);
  await assertRoom(root, placed.isNew, quota);
  return placed;
};

/** Writes new files at their places, durably. */
export const writeNew = async (root: string, isNew: Placed['isNew']): Promise<void> => {
  if (isNew.length === 0) return;
  const temporary = join(root, hiddenNames.unfinishedUpload);
  for (const { file, from } of isNew) {
    if ('path' in from) continue;
    await writeDurably(temporary, Buffer.isBuffer(from) ? from : from.staged);
    const place = join(root, file.path);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rename(temporary, place);
    await syncFolder(dirname(place));
  }
};

/** Runs work in a session's folder, of which it gets the path, one after the other in each session. */
export type Alone = <Result>(session: Session, work: (root: string) => Promise<Result>) => Promise<Result>;

/** Creates the queues in which files are stored: names are chosen and quotas counted before anything is written. */
export const createAlone = (within: Within): Alone => {
  const inTurn = queueByKey();
  return (session, work) =>
    inTurn(`${session.owner}~${session.session_id}`, () =>
      within(session, null, (folderOf) => work(folderOf(session.owner, session.session_id))),
    );
};
