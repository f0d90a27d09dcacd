import { z } from 'zod';
import { Language } from '../../../contracts/language.ts';
import { listOf } from '../../../contracts/list-of.ts';
import type { Log } from '../../lib/log.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { writeFileAtomic } from '../../workspace/write-file-atomic.ts';
import type { Bridge, BridgeFolder } from './bridge-folder.ts';
import { taskKey } from './command-file.ts';

/** A file's name, which leads to no other folder: who shares the bridge can write ledgers, too. */
const FileName = z.string().regex(/^(?!\.{1,2}$)[^/\0]+$/);

/** A command of a task. `sending`: perhaps not written yet; `timed_out`: its report did not come in time. */
const SentCommand = z.object({
  id: z.guid(),
  item_id: z.string().nullable(),
  state: z.enum(['sending', 'sent', 'reported', 'timed_out']),
  /** The agent session that its report named. */
  session_id: z.guid().nullable(),
  /** The name of its report in `reports/processed`. */
  report: FileName.nullable(),
});
export type SentCommand = z.infer<typeof SentCommand>;

/** All that one task sent to the coding agent, oldest first; a file of its own, so that two tasks never write the same one. */
const Ledger = z.object({
  task_id: z.string(),
  /** Which service sent them, for several may share a folder; those of before 0.1 lack it. */
  service: z.string().optional(),
  language: Language,
  ended: z.boolean(),
  commands: listOf(SentCommand),
});
export type Ledger = z.infer<typeof Ledger>;

/** Keeps the ledgers in the bridge, so that a new process knows what the last one sent. */
export interface Ledgers {
  /** The ledger of a task; null when it has none. */
  find(taskId: string): Promise<Ledger | null>;
  save(ledger: Ledger): Promise<void>;
  /** Saves that the task has ended, and puts its ledger among those that only their own task reads again. */
  close(ledger: Ledger): Promise<void>;
  /** The ledgers of tasks that have not ended, those of other services on this folder too: one at a time, for there may be thousands. */
  open(): AsyncIterable<Ledger>;
  /** True where so many files are in the place of these ledgers already. */
  areFull(max: number): Promise<boolean>;
}

/** Makes the ledgers of a bridge. One that can't be read counts as none, and is logged, one a minute. */
export const createLedgers = (bridge: Bridge, log: Log): Ledgers => {
  const isWorthALine = onceAMinute();
  const read = async (folder: BridgeFolder, name: string): Promise<Ledger | null> => {
    const text = await bridge.read(folder, name);
    if (text === null) return null;
    try {
      return Ledger.parse(JSON.parse(text));
    } catch (error) {
      if (isWorthALine()) log.warn({ err: error, ledger: name }, 'a ledger of the coding agent is not readable');
      return null;
    }
  };
  const nameOf = (taskId: string): string => `${taskKey(taskId)}.json`;
  const save = async (ledger: Ledger): Promise<void> =>
    writeFileAtomic(bridge.pathOf('ledgers', nameOf(ledger.task_id)), `${JSON.stringify(ledger, null, 2)}\n`, {
      isDurable: true,
    });
  return {
    find: async (taskId) => (await read('ledgers', nameOf(taskId))) ?? (await read('ledgersEnded', nameOf(taskId))),
    save,
    close: async (ledger) => {
      await save({ ...ledger, ended: true });
      await bridge.move(nameOf(ledger.task_id), 'ledgers', 'ledgersEnded');
    },
    open: async function* () {
      for await (const name of bridge.names('ledgers')) {
        if (!name.endsWith('.json') || name.startsWith('.')) continue;
        const ledger = await read('ledgers', name);
        if (ledger !== null && !ledger.ended) yield ledger;
      }
    },
    areFull: async (max) => {
      let count = 0;
      for await (const _ of bridge.names('ledgers', 'files')) {
        count += 1;
        if (count >= max) return true;
      }
      return false;
    },
  };
};

/** The ledger with one command's entry changed, or added at its end. */
export const withCommand = (ledger: Ledger, command: SentCommand): Ledger => {
  const isKnown = ledger.commands.some(({ id }) => id === command.id);
  const commands = isKnown
    ? ledger.commands.map((known) => (known.id === command.id ? command : known))
    : [...ledger.commands, command];
  return { ...ledger, commands };
};

/** The agent session that the last readable report named, which serves the whole task (SPEC 10); null when none did. */
export const sessionOf = ({ commands }: Ledger): string | null =>
  commands.findLast(({ session_id }) => session_id !== null)?.session_id ?? null;
