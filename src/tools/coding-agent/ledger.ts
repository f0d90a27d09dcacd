import { z } from 'zod';
import type { Log } from '../../log.ts';
import { writeFileAtomic } from '../../workspace/write-file-atomic.ts';
import type { Bridge } from './bridge-folder.ts';
import { taskKey } from './command-file.ts';

/** A command of a task. `sending`: perhaps not written yet; `timed_out`: its report did not come in time. */
const SentCommand = z.object({
  id: z.string(),
  item_id: z.string().nullable(),
  state: z.enum(['sending', 'sent', 'reported', 'timed_out']),
  /** The agent session that its report named. */
  session_id: z.guid().nullable(),
});
export type SentCommand = z.infer<typeof SentCommand>;

/** All that one task sent to the coding agent, oldest first; a file of its own, so that two tasks never write the same one. */
const Ledger = z.object({ task_id: z.string(), ended: z.boolean(), commands: z.array(SentCommand) });
export type Ledger = z.infer<typeof Ledger>;

/** Keeps the ledgers in the bridge, so that a new process knows what the last one sent. */
export interface Ledgers {
  /** The ledger of a task by its key; null when there is none. */
  find(key: string): Promise<Ledger | null>;
  of(taskId: string): Promise<Ledger>;
  save(ledger: Ledger): Promise<void>;
  /** The tasks that have not ended as far as their ledgers say. */
  open(): Promise<Ledger[]>;
}

/** Makes the ledgers of a bridge. One that can't be read counts as none, and is logged. */
export const createLedgers = (bridge: Bridge, log: Log): Ledgers => {
  const find = async (key: string): Promise<Ledger | null> => {
    const text = await bridge.read('ledgers', `${key}.json`);
    if (text === null) return null;
    try {
      return Ledger.parse(JSON.parse(text));
    } catch (error) {
      log.warn({ err: error, ledger: key }, 'a ledger of the coding agent is not readable');
      return null;
    }
  };
  return {
    find,
    of: async (taskId) => (await find(taskKey(taskId))) ?? { task_id: taskId, ended: false, commands: [] },
    save: async (ledger) =>
      writeFileAtomic(
        bridge.pathOf('ledgers', `${taskKey(ledger.task_id)}.json`),
        `${JSON.stringify(ledger, null, 2)}\n`,
        { isDurable: true },
      ),
    open: async () => {
      const names = (await bridge.names('ledgers')).filter((name) => name.endsWith('.json'));
      const ledgers = await Promise.all(names.map((name) => find(name.slice(0, -'.json'.length))));
      return ledgers.filter((ledger) => ledger !== null && !ledger.ended) as Ledger[];
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
