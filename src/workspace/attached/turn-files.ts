import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AttachedFile, type SubmittedFile } from '../../../contracts/file.ts';
import { LOCAL_OWNER } from '../../../contracts/ids.ts';
import { ServiceError } from '../../lib/errors.ts';
import { queueByKey } from '../../lib/queue-by-key.ts';
import type { FileQuota } from '../change-file.ts';
import { hiddenNames, parseFilePath } from '../file-path.ts';
import { workspacePath } from '../folder.ts';
import type { CheckedFile, Session, TurnFiles, Within } from '../port.ts';
import { FileRefused, findFile, listFiles } from '../read-files.ts';
import { writeFileWhole } from '../write-file.ts';
import { checkFiles } from './check-files.ts';
import { findIntact, findStored } from './find-stored.ts';
import { numbered } from './stored-name.ts';

/** The folder for files of users in a session's folder. */
const FOLDER = 'files';

/** Names tried for one file: more than a session may have files. */
const NAMES_MAX = 10_000;

/** A turn whose files are being stored, and those of them that were not there before. */
const Arriving = z.object({ turn_id: z.string(), files: z.array(AttachedFile) });
type Arriving = z.infer<typeof Arriving>;

/** The files to write for a turn: each file's place, and the bytes of those that are new. */
interface Placed {
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
    else for await (const piece of createReadStream(from)) await handle.writeFile(piece as Buffer);
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

const readArriving = (root: string): Arriving | null => {
  try {
    return Arriving.parse(JSON.parse(readFileSync(join(root, hiddenNames.arriving), 'utf8')));
  } catch {
    return null;
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
const placeWithin = async (root: string, files: readonly CheckedFile[], quota: FileQuota): Promise<Placed> => {
  const placed = await place(root, files);
  await assertRoom(root, placed.isNew, quota);
  return placed;
};

/** Writes new files at their places, durably. */
const writeNew = async (root: string, isNew: Placed['isNew']): Promise<void> => {
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

/** Removes what was stored for a turn that is not, and the note of it. */
const undo = async (root: string, { files }: Arriving): Promise<void> => {
  for (const file of files) if ((await findIntact(root, file)) !== null) await rm(join(root, file.path));
  rmSync(join(root, hiddenNames.unfinishedUpload), { force: true });
  rmSync(join(root, hiddenNames.arriving), { force: true });
};

/** The files that `origin` still has and `root` lacks. */
const lackingFrom = async (
  origin: string,
  root: string,
  files: readonly AttachedFile[],
): Promise<{ file: AttachedFile; from: { staged: string } }[]> => {
  const lacking = [];
  for (const file of new Map(files.map((each) => [each.path, each])).values())
    if ((await findIntact(origin, file)) !== null && findStored(root, file.path) === null)
      lacking.push({ file, from: { staged: join(origin, file.path) } });
  return lacking;
};

/** The session of a folder's name, in which the owner `local` is left out. Session ids have no tilde. */
const sessionOf = (folder: string): Session => {
  const at = folder.lastIndexOf('~');
  return { owner: at < 0 ? LOCAL_OWNER : folder.slice(0, at), session_id: folder.slice(at + 1) };
};

interface Parts {
  dataDir: string;
  within: Within;
  quota: FileQuota;
  /** Whether a turn is stored. */
  hasTurn(owner: string, turnId: string): Promise<boolean>;
  log: Logger;
}

/**
 * Keeps files of users and tools below `files/` in the sessions' folders, under their names, each with its SHA-256.
 * Before it stores those of a turn it notes them, so that files whose turn was never stored are found and removed. A
 * file is never overwritten.
 */
export const createTurnFiles = ({ dataDir, within, quota, hasTurn, log }: Parts) => {
  /** One at a time in a session: names are chosen and quotas counted before anything is written. */
  const inTurn = queueByKey();
  const alone = <Result>(session: Session, work: (root: string) => Promise<Result>): Promise<Result> =>
    inTurn(`${session.owner}~${session.session_id}`, () =>
      within(session, null, (folderOf) => work(folderOf(session.owner, session.session_id))),
    );

  /** Notes the turn durably, then stores its new files. */
  const writeFor = async (root: string, turn_id: string, isNew: Placed['isNew']): Promise<void> => {
    arriving.add(turn_id);
    const note: Arriving = { turn_id, files: isNew.map(({ file }) => file) };
    writeFileWhole(join(root, hiddenNames.arriving), JSON.stringify(note), { isDurable: true });
    await writeNew(root, isNew);
  };

  /** Turns of this process whose files are stored and that may still be. */
  const arriving = new Set<string>();

  const settle = async (root: string, { owner }: Session, left: Arriving | null): Promise<void> => {
    if (left === null || arriving.has(left.turn_id)) return;
    if (await hasTurn(owner, left.turn_id)) rmSync(join(root, hiddenNames.arriving), { force: true });
    else await undo(root, left);
  };

  return {
    check: (session, files) => within(session, null, () => checkFiles(dataDir, session, files)),
    store: (session, turn_id, files) =>
      alone(session, async (root) => {
        await settle(root, session, readArriving(root));
        const placed = await placeWithin(root, files, quota);
        if (placed.isNew.length > 0) await writeFor(root, turn_id, placed.isNew);
        return placed.files;
      }),
    copy: (from, to, turn_id, files) =>
      within(from, null, () =>
        alone(to, async (root) => {
          const origin = workspacePath(dataDir, from.owner, from.session_id);
          const isNew = await lackingFrom(origin, root, files);
          if (isNew.length > 0) await writeFor(root, turn_id, isNew);
        }),
      ),
    settle: async (session, turnId, isStored) => {
      if (!arriving.delete(turnId)) return;
      await alone(session, async (root) => {
        const left = readArriving(root);
        if (left?.turn_id !== turnId) return;
        if (isStored) rmSync(join(root, hiddenNames.arriving), { force: true });
        else await undo(root, left);
      });
    },
    /**
     * Stores the images and files of a tool's result, which the observation that is stored next names; `refusals` says why
     * others are not stored.
     */
    keep: async (
      session: Session,
      files: readonly SubmittedFile[],
    ): Promise<{ kept: AttachedFile[]; refusals: string[] }> => {
      const kept: AttachedFile[] = [];
      const refusals: string[] = [];
      for (const file of files)
        try {
          const checked = await checkFiles(dataDir, session, [file]);
          kept.push(
            ...(await alone(session, async (root) => {
              const placed = await placeWithin(root, checked, quota);
              await writeNew(root, placed.isNew);
              return placed.files;
            })),
          );
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          refusals.push(error.message);
        }
      return { kept, refusals };
    },
    /** Removes what processes that died had stored for turns that never were. Never rejects. */
    sweep: async (): Promise<void> => {
      const folders = await readdir(dirname(workspacePath(dataDir, LOCAL_OWNER, 'x'))).catch(() => []);
      for (const folder of folders) {
        const session = sessionOf(folder);
        const root = workspacePath(dataDir, session.owner, session.session_id);
        if (readArriving(root) === null) continue;
        await alone(session, async () => settle(root, session, readArriving(root))).catch((err: unknown) =>
          log.error({ err, session_id: session.session_id }, 'files of a turn that was not stored are not removed'),
        );
      }
    },
  } satisfies TurnFiles & Record<string, unknown>;
};

export type KeptFiles = ReturnType<typeof createTurnFiles>;
