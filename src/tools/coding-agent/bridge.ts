import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { Language } from '../../../contracts/text.ts';
import type { Log } from '../../lib/log.ts';
import { readStart } from '../../workspace/read-files.ts';
import { writeFileWhole } from '../../workspace/write-file.ts';

/** The folders of the bridge (SPEC 10). `.tripact` has the ledgers, for Tripact alone. */
const FOLDERS = [
  'commands/pending',
  'commands/processed',
  'reports/pending',
  'reports/processed',
  'reports/unknown',
  '.tripact',
] as const;
type BridgeFolder = (typeof FOLDERS)[number];

/** All that one open task sent to the coding agent, oldest first. `service`: who sent it, for several may share a folder. */
const Ledger = z.object({
  task_id: z.string(),
  service: z.string(),
  language: Language,
  /** `timed_out`: its report did not come in time. */
  commands: z.array(z.object({ id: z.guid(), item_id: z.string().nullable(), timed_out: z.boolean() })),
});
export type Ledger = z.infer<typeof Ledger>;

export const commandName = (id: string): string => `task-${id}.md`;

/**
 * Opens the folder that Tripact shares with a coding agent, for the ledgers of one service. It touches nothing until it is asked to.
 * Synchronous, so nothing of this process comes between two steps: the files are few and small.
 */
export const openBridge = (bridgeDir: string, service: string, log: Log) => {
  const pathOf = (folder: BridgeFolder, name = ''): string => join(bridgeDir, folder, name);
  const ledgerName = (taskId: string): string => `${taskId.replace(/^task_/, '')}.json`;

  const readLedger = (name: string): Ledger | null => {
    try {
      const ledger = Ledger.nullable().parse(JSON.parse(bridge.read('.tripact', name) ?? 'null'));
      return ledger?.service === service ? ledger : null;
    } catch (error) {
      log.warn({ err: error, ledger: name }, 'a ledger of the coding agent is not readable');
      return null;
    }
  };

  const bridge = {
    /** Makes the folders that are missing. */
    prepare: (): void => {
      for (const folder of FOLDERS) mkdirSync(pathOf(folder), { recursive: true, mode: 0o700 });
    },
    /** When a file was last changed or moved, in epoch milliseconds; null where there is none. */
    changedAt: (folder: BridgeFolder, name: string): number | null =>
      statSync(pathOf(folder, name), { throwIfNoEntry: false })?.ctimeMs ?? null,
    /** The beginning of a file's text; null where there is none. */
    read: (folder: BridgeFolder, name: string): string | null =>
      existsSync(pathOf(folder, name)) ? readStart(pathOf(folder, name), FILE_BYTES_MAX).toString() : null,
    /** The names of the files in a folder, without links. */
    names: (folder: BridgeFolder): string[] =>
      readdirSync(pathOf(folder), { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
    write: (folder: BridgeFolder, name: string, text: string): void =>
      writeFileWhole(pathOf(folder, name), text, { isDurable: true }),
    remove: (folder: BridgeFolder, name: string): void => rmSync(pathOf(folder, name), { force: true }),
    has: (folder: BridgeFolder, name: string): boolean => existsSync(pathOf(folder, name)),
    /** Moves a file, by default under its own name. One that no longer exists is no error. */
    move: (name: string, from: BridgeFolder, to: BridgeFolder, newName = name): void => {
      if (existsSync(pathOf(from, name))) renameSync(pathOf(from, name), pathOf(to, newName));
    },
    /** The commands of a task; null for one that sent none or has ended, and, logged, where they can't be read. */
    ledgerOf: (taskId: string): Ledger | null => readLedger(ledgerName(taskId)),
    /** The ledgers of this service's open tasks. */
    ledgers: (): Ledger[] => {
      const names = bridge.names('.tripact').filter((name) => name.endsWith('.json'));
      return names.map(readLedger).filter((ledger) => ledger !== null);
    },
    /** Records a command in its ledger, at its end or in the place of what was recorded of it. */
    record: (task_id: string, language: Language, command: Ledger['commands'][number]): void => {
      const before = bridge.ledgerOf(task_id)?.commands ?? [];
      const commands = [...new Map([...before, command].map((one) => [one.id, one])).values()];
      const ledger: Ledger = { task_id, service, language, commands };
      bridge.write('.tripact', ledgerName(task_id), `${JSON.stringify(ledger, null, 2)}\n`);
    },
    removeLedger: (taskId: string): void => bridge.remove('.tripact', ledgerName(taskId)),
  };
  return bridge;
};

export type Bridge = ReturnType<typeof openBridge>;
