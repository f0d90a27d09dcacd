import { mkdirSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Language } from '../../../contracts/text.ts';
import type { Log } from '../../lib/log.ts';
import type { QueueByKey } from '../../lib/queue-by-key.ts';
import { readBeginning } from '../../workspace/read-files.ts';
import { writeFileWhole } from '../../workspace/write-file.ts';

/** Longest report, command or ledger that is read, in bytes: an observation keeps far less of it. */
const FILE_BYTES_MAX = 1024 * 1024;

/** The folders of the bridge (SPEC 10). `.tripact` has the ledgers, for Tripact alone. */
const FOLDERS = [
  'commands/pending',
  'commands/processed',
  'reports/pending',
  'reports/processed',
  'reports/unknown',
  '.tripact',
] as const;
export type BridgeFolder = (typeof FOLDERS)[number];

/** All that one open task sent to the coding agent, oldest first. `service`: who sent it, for several may share a folder. */
const Ledger = z.object({
  task_id: z.string(),
  service: z.string(),
  language: Language,
  commands: z.array(
    z.object({
      id: z.guid(),
      item_id: z.string().nullable(),
      /** The agent session that its report named. */
      session_id: z.guid().nullable(),
      /** Its report as an observation. */
      report: z.object({ ok: z.boolean(), result: z.string() }).nullable(),
      /** Its report did not come in time. */
      timed_out: z.boolean(),
    }),
  ),
});
export type Ledger = z.infer<typeof Ledger>;
export type SentCommand = Ledger['commands'][number];

const orNull = async <Value>(work: Promise<Value>): Promise<Value | null> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

const ledgerName = (taskId: string): string => `${taskId.replace(/^task_/, '')}.json`;

/** Opens the folder that Tripact shares with a coding agent. It touches nothing until it is asked to, and overwrites no file of the agent. */
export const openBridge = (bridgeDir: string, log: Log) => {
  const pathOf = (folder: BridgeFolder, name: string): string => join(bridgeDir, folder, name);

  const readLedger = async (name: string): Promise<Ledger | null> => {
    const text = await bridge.read('.tripact', name);
    try {
      return text === null ? null : Ledger.parse(JSON.parse(text));
    } catch (error) {
      log.warn({ err: error, ledger: name }, 'a ledger of the coding agent is not readable');
      return null;
    }
  };

  const bridge = {
    /** Makes the folders that are missing. */
    prepare: (): void => {
      for (const folder of FOLDERS) mkdirSync(join(bridgeDir, folder), { recursive: true, mode: 0o700 });
    },
    /** When a file was last changed or moved, in epoch milliseconds; null where there is none. */
    changedAt: async (folder: BridgeFolder, name: string): Promise<number | null> =>
      (await orNull(lstat(pathOf(folder, name))))?.ctimeMs ?? null,
    /** The beginning of a file's text; null when there is no regular file of that name that may be read. */
    read: async (folder: BridgeFolder, name: string): Promise<string | null> =>
      (await readBeginning(pathOf(folder, name), FILE_BYTES_MAX))?.toString() ?? null,
    /** The names in a folder without those of folders; none where the folder is missing. */
    names: async (folder: BridgeFolder): Promise<string[]> => {
      const entries = await orNull(readdir(pathOf(folder, ''), { withFileTypes: true }));
      return (entries ?? []).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    },
    write: (folder: BridgeFolder, name: string, text: string): void =>
      writeFileWhole(pathOf(folder, name), text, { isDurable: true }),
    remove: (folder: BridgeFolder, name: string): Promise<void> => rm(pathOf(folder, name), { force: true }),
    /** Moves a file, which gets a number where its name is taken. One that no longer exists is no error. */
    move: async (name: string, from: BridgeFolder, to: BridgeFolder): Promise<void> => {
      let free = name;
      for (let n = 2; (await bridge.changedAt(to, free)) !== null; n += 1) free = name.replace(/(\.md)?$/, `.${n}$1`);
      await orNull(rename(pathOf(from, name), pathOf(to, free)));
    },
    /** The commands of a task; null for one that sent none or has ended, and, logged, where they can't be read. */
    ledgerOf: (taskId: string): Promise<Ledger | null> => readLedger(ledgerName(taskId)),
    /** The ledgers of open tasks, those of other services on this folder too. */
    ledgers: async (): Promise<Ledger[]> => {
      const found = (await bridge.names('.tripact')).filter((name) => !name.startsWith('.'));
      return (await Promise.all(found.map(readLedger))).filter((ledger) => ledger !== null);
    },
    /** Records a command in its ledger, at its end or in the place of what was recorded of it. */
    record: (ledger: Ledger, command: SentCommand): void => {
      const commands = new Map([...ledger.commands, command].map((one) => [one.id, one]));
      const text = JSON.stringify({ ...ledger, commands: [...commands.values()] }, null, 2);
      bridge.write('.tripact', ledgerName(ledger.task_id), `${text}\n`);
    },
    removeLedger: (taskId: string): Promise<void> => bridge.remove('.tripact', ledgerName(taskId)),
  };
  return bridge;
};

/** Waits for the coding agent, in milliseconds. */
export interface BridgeTimeouts {
  /** Between two looks at the folder. */
  pollMs: number;
  /** A report must stay unchanged before it is taken: it may still be being written. */
  settleMs: number;
  /** One that is empty or can't be read must stay unchanged this long before it is taken for what it is. */
  graceMs: number;
}

/** Shared state of the parts of the coding agent. */
export interface BridgeParts {
  bridge: ReturnType<typeof openBridge>;
  /** By task id: nothing else of this process touches a task's ledger meanwhile. */
  inTurn: QueueByKey;
  /** Tells this service's ledgers from those of others on the same folder. */
  service: string;
  log: Log;
  /** The current time in epoch milliseconds. */
  now(): number;
  timeouts: BridgeTimeouts;
}
