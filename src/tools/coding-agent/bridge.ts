import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messages } from '../../../contracts/messages/messages.ts';
import { makeFolder } from '../../lib/make-folder.ts';

/** Longest report, command or ledger that is read, in bytes: an observation keeps far less of it. */
const FILE_BYTES_MAX = 1024 * 1024;

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

/** The folder can't be used as a bridge: `folder` in it is a link or no folder. */
export class BridgeUnusable extends Error {
  override name = 'BridgeUnusable';
  readonly folder: string;

  constructor(folder: string) {
    super(messages('en').codingAgent.bridgeUnusable(folder));
    this.folder = folder;
  }
}

/** No file, a link, the end of a pipe, or what another user alone may read. */
const UNREADABLE = ['ENOENT', 'ELOOP', 'ENXIO', 'EACCES', 'EPERM'];

const orNull = async <Value>(work: Promise<Value>, codes = ['ENOENT']): Promise<Value | null> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (codes.includes(error.code ?? '')) return null;
    throw error;
  });

/** Opens the folder that Tripact shares with a coding agent. Follows no link below it, reads regular files only, and touches nothing until it is asked to. */
export const openBridge = (bridgeDir: string) => {
  const pathOf = (folder: BridgeFolder, name = ''): string => join(bridgeDir, bridgeFolders[folder], name);

  const statOf = (folder: BridgeFolder, name: string): Promise<Stats | null> => orNull(lstat(pathOf(folder, name)));

  /** The name that a file would get in a folder: its own, or with a number where that is taken. */
  const freeName = async (folder: BridgeFolder, name: string): Promise<string> => {
    for (let n = 1; ; n += 1) {
      const candidate = n === 1 ? name : name.replace(/(\.md)?$/, `.${n}$1`);
      if ((await statOf(folder, candidate)) === null) return candidate;
    }
  };

  return {
    pathOf,
    statOf,
    freeName,
    /** Makes the folders that are missing. Throws `BridgeUnusable` when one is a link or no folder. */
    prepare: async (): Promise<void> => {
      if ((await orNull(stat(bridgeDir))) === null) makeFolder(bridgeDir);
      const root = await realpath(bridgeDir);
      for (const folder of Object.values(bridgeFolders)) {
        let path = root;
        for (const part of folder.split('/')) {
          path = join(path, part);
          await orNull(mkdir(path, { mode: 0o700 }), ['EEXIST']);
          if (!(await lstat(path)).isDirectory()) throw new BridgeUnusable(folder);
        }
      }
    },
    /** True once a command was ever sent from here. */
    isInUse: async (): Promise<boolean> => (await statOf('ledgers', ''))?.isDirectory() ?? false,
    /** The beginning of a file's text; null when there is no regular file of that name that may be read. */
    read: async (folder: BridgeFolder, name: string): Promise<string | null> => {
      // Not blocking: a pipe would keep its reader for ever.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      await using handle = await orNull(open(pathOf(folder, name), flags), UNREADABLE);
      const stats = await handle?.stat();
      if (handle === null || stats?.isFile() !== true) return null;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(stats.size, FILE_BYTES_MAX)));
      return buffer.toString('utf8', 0, bytesRead);
    },
    /** The names in a folder without those of folders; none where the folder is missing. */
    names: async (folder: BridgeFolder): Promise<string[]> => {
      const entries = await orNull(readdir(pathOf(folder), { withFileTypes: true }));
      return (entries ?? []).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    },
    /** Moves a file under its free name. One that no longer exists is no error; none is overwritten. */
    move: async (name: string, from: BridgeFolder, to: BridgeFolder): Promise<void> => {
      await orNull(rename(pathOf(from, name), pathOf(to, await freeName(to, name))));
    },
    remove: (folder: BridgeFolder, name: string): Promise<void> => rm(pathOf(folder, name), { force: true }),
  };
};
export type Bridge = ReturnType<typeof openBridge>;
