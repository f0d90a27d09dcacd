import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Language } from '../../../contracts/text.ts';
import type { Log } from '../../lib/log.ts';
import { writeFileAtomic } from '../../workspace/write-file-atomic.ts';
import type { Bridge, BridgeFolder } from './bridge.ts';

/** A file's name, which leads to no other folder. */
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

/** All that one task sent to the coding agent, oldest first. */
const Ledger = z.object({
  task_id: z.string(),
  /** Which service sent them, for several may share a folder. */
  service: z.string().optional(),
  language: Language,
  ended: z.boolean(),
  commands: z.array(SentCommand),
});
export type Ledger = z.infer<typeof Ledger>;

const SAFE = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const nameOf = (taskId: string): string => {
  const text = taskId.replace(/^task_/, '');
  return `${SAFE.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`;
};

/** Opens the ledgers in a bridge, one file a task, which tell a new process what the last one sent. One that can't be read counts as none, and is logged. */
export const openLedgers = (bridge: Bridge, log: Log) => {
  const read = async (folder: BridgeFolder, name: string): Promise<Ledger | null> => {
    const text = await bridge.read(folder, name);
    if (text === null) return null;
    try {
      return Ledger.parse(JSON.parse(text));
    } catch (error) {
      log.warn({ err: error, ledger: name }, 'a ledger of the coding agent is not readable');
      return null;
    }
  };
  const save = (ledger: Ledger): Promise<void> =>
    writeFileAtomic(bridge.pathOf('ledgers', nameOf(ledger.task_id)), `${JSON.stringify(ledger, null, 2)}\n`, {
      isDurable: true,
    });
  return {
    save,
    /** The ledger of a task, also of one that has ended; null when it has none. */
    find: async (taskId: string): Promise<Ledger | null> =>
      (await read('ledgers', nameOf(taskId))) ?? (await read('ledgersEnded', nameOf(taskId))),
    /** Saves that the task has ended, and moves its ledger to those that have. */
    close: async (ledger: Ledger): Promise<void> => {
      await save({ ...ledger, ended: true });
      await bridge.move(nameOf(ledger.task_id), 'ledgers', 'ledgersEnded');
    },
    /** The ledgers of tasks that have not ended, those of other services on this folder too. */
    open: async (): Promise<Ledger[]> => {
      const names = (await bridge.names('ledgers')).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
      const ledgers = await Promise.all(names.map((name) => read('ledgers', name)));
      return ledgers.flatMap((ledger) => (ledger === null || ledger.ended ? [] : [ledger]));
    },
  };
};

export type Ledgers = ReturnType<typeof openLedgers>;

/** The ledger with one command's entry changed, or added at its end. */
export const withCommand = (ledger: Ledger, command: SentCommand): Ledger => {
  const at = ledger.commands.findIndex(({ id }) => id === command.id);
  return {
    ...ledger,
    commands: at === -1 ? [...ledger.commands, command] : ledger.commands.with(at, command),
  };
};
