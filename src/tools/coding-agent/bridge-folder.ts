import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, opendir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messages } from '../../../contracts/messages/messages.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { readStart } from '../../workspace/open-file.ts';

/** Longest report or command that is read, in bytes: an observation keeps far less of it, and a folder of others is not trusted. */
const FILE_BYTES_MAX = 1_048_576;

/** Names of a folder that are read from the disk at a time: one that a program floods is never listed in one piece. */
const NAMES_A_READ = 256;

/** Numbered names that are tried for a file whose own is taken: whoever sends the same name for ever makes none of them slower. */
const NUMBERS_TRIED = 100;

/** Longest name of a file, in bytes: what usual file systems take. */
const NAME_BYTES_MAX = 255;

/** The folders of the bridge, below its own (SPEC 10). */
export const bridgeFolders = {
  commandsPending: 'commands/pending',
  commandsProcessed: 'commands/processed',
  reportsPending: 'reports/pending',
  reportsProcessed: 'reports/processed',
  /** Reports that belong to no command. */
  reportsUnknown: 'reports/unknown',
  /** Which command was sent for which plan item; for Tripact alone. */
  ledgers: '.tripact',
  /** The same of tasks that have ended. */
  ledgersEnded: '.tripact/ended',
} as const;
export type BridgeFolder = keyof typeof bridgeFolders;

/** What exists under a name now, be it a file or not; `mark` changes whenever it does. */
export interface FileState {
  mark: string;
  bytes: number;
  /** Epoch milliseconds; whoever wrote the file may have set it. */
  modifiedAt: number;
  /** When it was last moved or changed, as the file system says it, epoch milliseconds. */
  changedAt: number;
}

/** The folder can't be used as a bridge: `folder` in it is a link or no folder. Names no path outside of it. */
export class BridgeUnusable extends Error {
  override name = 'BridgeUnusable';
  readonly folder: string;

  constructor(folder: string) {
    super(messages('en').codingAgent.bridgeUnusable(folder));
    this.folder = folder;
  }
}

/** The folder that Tripact shares with a coding agent. Follows no link below its root and reads regular files only. */
export interface Bridge {
  pathOf(folder: BridgeFolder, name?: string): string;
  /** Makes the folders that are missing. Throws `BridgeUnusable` when one is a link or no folder. */
  prepare(): Promise<void>;
  /** True once a command was ever sent from here. */
  isInUse(): Promise<boolean>;
  /** The state of what has that name, or null when nothing has. */
  stateOf(folder: BridgeFolder, name: string): Promise<FileState | null>;
  /**
   * The beginning of the file's text, `bytesMax` of it at most, or null when there is no regular file of that name that may be read. Bytes that
   * are no UTF-8 are replaced.
   */
  read(folder: BridgeFolder, name: string, bytesMax?: number): Promise<string | null>;
  /** The names in a folder, read bit by bit; those of `files` alone leave out folders. None where the folder is missing. */
  names(folder: BridgeFolder, only?: 'files'): AsyncIterable<string>;
  /** The name that a file would get in a folder: its own, with a number, or else a uuid, where that is taken. */
  freeName(folder: BridgeFolder, name: string): Promise<string>;
  /** Moves a file under its free name; one that no longer exists is no error, and none is ever overwritten. */
  move(name: string, from: BridgeFolder, to: BridgeFolder): Promise<void>;
  /** How many moves there were. */
  moves(): number;
  /** Removes a file or a link; one that no longer exists is no error. Rejects for a folder. */
  remove(folder: BridgeFolder, name: string): Promise<void>;
}

const MISSING = ['ENOENT', 'ELOOP', 'ENXIO'];

/** The same, and what another user alone may read. */
const UNREADABLE = [...MISSING, 'EACCES', 'EPERM'];

const orNull = async <Value>(work: Promise<Value>, codes = MISSING): Promise<Value | null> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (codes.includes(error.code ?? '')) return null;
    throw error;
  });

/** A name with a number; one that would be too long with it is another one. */
const numbered = (name: string, number: number | string): string => {
  const candidate = name.replace(/(\.md)?$/, `.${number}$1`);
  return Buffer.byteLength(candidate) > NAME_BYTES_MAX ? `${randomUUID()}.md` : candidate;
};

/** Opens the bridge at a folder, which may itself be a link. Touches nothing until it is asked to. */
export const openBridge = (bridgeDir: string): Bridge => {
  let moves = 0;
  const pathOf = (folder: BridgeFolder, name = ''): string => join(bridgeDir, bridgeFolders[folder], name);

  const stateOf = async (folder: BridgeFolder, name: string): Promise<FileState | null> => {
    const found = await orNull(lstat(pathOf(folder, name)));
    if (found === null) return null;
    const { ino, size, mtimeMs, ctimeMs } = found;
    return { mark: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, bytes: size, modifiedAt: mtimeMs, changedAt: ctimeMs };
  };

  const freeName = async (folder: BridgeFolder, name: string): Promise<string> => {
    for (let n = 1; ; n++) {
      const number = n > NUMBERS_TRIED ? randomUUID() : n;
      const candidate = n === 1 ? name : numbered(name, number);
      if ((await orNull(lstat(pathOf(folder, candidate)))) === null) return candidate;
    }
  };

  return {
    pathOf,
    prepare: async () => {
      if ((await orNull(stat(bridgeDir))) === null) makeFolder(bridgeDir);
      const root = await realpath(bridgeDir);
      for (const folder of Object.values(bridgeFolders)) {
        let path = root;
        for (const part of folder.split('/')) {
          path = join(path, part);
          await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'EEXIST') throw error;
          });
          if (!(await lstat(path)).isDirectory()) throw new BridgeUnusable(folder);
        }
      }
    },
    isInUse: async () => (await orNull(lstat(pathOf('ledgers'))))?.isDirectory() ?? false,
    stateOf,
    freeName,
    read: async (folder, name, bytesMax = FILE_BYTES_MAX) => {
      // Not blocking: a pipe that took the file's place since would keep its reader for ever.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await orNull(open(pathOf(folder, name), flags), UNREADABLE);
      if (handle === null) return null;
      try {
        const stats = await handle.stat();
        return stats.isFile() ? (await readStart({ handle, stats }, bytesMax)).toString() : null;
      } finally {
        await handle.close();
      }
    },
    names: async function* (folder, only) {
      const entries = await orNull(opendir(pathOf(folder), { bufferSize: NAMES_A_READ }));
      if (entries === null) return;
      for await (const entry of entries) if (only === undefined || !entry.isDirectory()) yield entry.name;
    },
    moves: () => moves,
    remove: (folder, name) => rm(pathOf(folder, name), { force: true }),
    move: async (name, from, to) => {
      moves += 1;
      await orNull(rename(pathOf(from, name), pathOf(to, await freeName(to, name))));
    },
  };
};
