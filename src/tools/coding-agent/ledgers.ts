import { z } from 'zod';
import { Language } from '../../../contracts/text.ts';
import type { Log } from '../../lib/log.ts';
import type { TaskToolCall } from '../port.ts';
import type { BridgeFiles } from './bridge-files.ts';

/**
 * Everything that one open task sent to the coding agent, oldest first. `service` is the sender, as several services
 * may share a folder.
 */
const Ledger = z.object({
  task_id: z.string(),
  service: z.string(),
  language: Language,
  /** `timed_out`: its report did not arrive in time. */
  commands: z.array(z.object({ id: z.guid(), item_id: z.string().nullable(), timed_out: z.boolean() })),
});
export type Ledger = z.infer<typeof Ledger>;
export type Command = Ledger['commands'][number];

const ledgerName = (taskId: string): string => `${taskId.replace(/^task_/, '')}.json`;

/** The ledgers of one service among those that share the bridge, a file for each open task. Never reads another's. */
export class Ledgers {
  readonly #files: BridgeFiles;
  readonly #service: string;
  readonly #log: Log;

  constructor(files: BridgeFiles, service: string, log: Log) {
    this.#files = files;
    this.#service = service;
    this.#log = log;
  }

  all(): Ledger[] {
    const names = this.#files.names('.tripact').filter((name) => name.endsWith('.json'));
    return names.map((name) => this.#read(name)).filter((ledger) => ledger !== null);
  }

  /** The ledger of a task; null if it sent nothing or has ended. If it cannot be read, logs that and returns null. */
  of(taskId: string): Ledger | null {
    return this.#read(ledgerName(taskId));
  }

  /** The commands of a task; none without a ledger. */
  commandsOf(taskId: string): Command[] {
    return this.of(taskId)?.commands ?? [];
  }

  /** The ids of all commands of open tasks. */
  openIds(): string[] {
    return this.all().flatMap(({ commands }) => commands.map(({ id }) => id));
  }

  /** Records a command in its ledger, appending it or replacing its earlier record. */
  record({ task_id, language }: Pick<TaskToolCall, 'task_id' | 'language'>, command: Command): void {
    const commands = [...new Map([...this.commandsOf(task_id), command].map((one) => [one.id, one])).values()];
    const ledger: Ledger = { task_id, service: this.#service, language, commands };
    this.#files.write('.tripact', ledgerName(task_id), `${JSON.stringify(ledger, null, 2)}\n`);
  }

  remove(taskId: string): void {
    this.#files.remove('.tripact', ledgerName(taskId));
  }

  #read(name: string): Ledger | null {
    try {
      const ledger = Ledger.nullable().parse(JSON.parse(this.#files.read('.tripact', name) ?? 'null'));
      return ledger?.service === this.#service ? ledger : null;
    } catch (error) {
      this.#log.warn({ err: error, ledger: name }, 'a ledger of the coding agent cannot be read');
      return null;
    }
  }
}
