import type { Log } from '../../lib/log.ts';
import type { TaskToolCall, ToolHooks } from '../port.ts';
import { BridgeFiles } from './bridge-files.ts';
import {
  type CommandCall,
  type CommandFront,
  commandId,
  commandName,
  commandText,
  endsSession,
  reportName,
} from './command-file.ts';
import { type Command, Ledgers } from './ledgers.ts';
import { codingAgentMessages } from './messages.ts';
import { readReport } from './read-report.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Files that are still being written, by the conventions of editors and programs. */
const TEMPORARY = /^\.|~$|\.(?:tmp|part|swp)$/i;

/** Folders whose files are finished. */
const FINISHED = ['commands/processed', 'reports/processed', 'reports/unknown'] as const;

/**
 * Timeouts in milliseconds: between two polls of the folder, until a readable report counts as complete, and until any
 * other file does.
 */
export const TIMEOUTS = { pollMs: 500, settleMs: 500, graceMs: 10_000 };

export interface CodingAgentOptions {
  /** The folder shared with the coding agent (`TRIPACT_BRIDGE_DIR`). */
  bridgeDir: string;
  /** Longest wait for a report, in milliseconds (`TRIPACT_BRIDGE_TIMEOUT_MS`). */
  timeoutMs: number;
  /** Days for which finished files are kept; null: forever. */
  days: number | null;
  /** Identifies this service among those that share the folder; stable across restarts. */
  service: string;
  log: Log;
  now?: () => number;
  timeouts?: typeof TIMEOUTS;
}

/** The place of a file among the pending reports. */
type Place =
  /** It may still be being written, or is gone. */
  | { readonly name: 'incomplete' }
  /** It is on another program's command; that program collects the report itself. */
  | { readonly name: 'foreign' }
  /** It is on this command. */
  | { readonly name: 'known'; readonly id: string }
  /** It is on no command. */
  | { readonly name: 'unknown' };

/**
 * The folder shared with a coding agent, for one service's ledgers. Synchronous, so that nothing runs between two
 * steps.
 */
class Bridge {
  readonly #options: CodingAgentOptions;
  readonly #files: BridgeFiles;
  readonly #ledgers: Ledgers;

  constructor(options: CodingAgentOptions) {
    this.#options = options;
    this.#files = new BridgeFiles(options.bridgeDir);
    this.#ledgers = new Ledgers(this.#files, options.service, options.log);
  }

  prepare(): void {
    this.#files.makeFolders();
  }

  /** The commands of a task; none if it sent none or has ended. If they cannot be read, logs that and returns none. */
  commandsOf(taskId: string): Command[] {
    return this.#ledgers.commandsOf(taskId);
  }

  /** The report on a command that was already collected; null: none yet. */
  reportOn(id: string) {
    const text = this.#files.read('reports/processed', reportName(id));
    return text === null ? null : readReport(reportName(id), text);
  }

  /** Sends and records the command of a call, once, however often the call is repeated. */
  send(id: string, description: string, call: Omit<TaskToolCall, 'signal'>): void {
    const commands = this.commandsOf(call.task_id);
    if (commands.some((command) => command.id === id)) return;
    const session_id = this.#sessionOf(commands);
    const command_type = session_id === 'auto' ? 'new' : 'continue';
    this.#writeCommand({ id, session_id, command_type }, description, call);
    this.#ledgers.record(call, { id, item_id: call.item_id, timed_out: false });
  }

  /** Withdraws a command whose report did not arrive in time. */
  giveUp(command: Command, call: Pick<TaskToolCall, 'task_id' | 'language'>): void {
    this.#ledgers.record(call, { ...command, timed_out: true });
    this.#withdraw(command.id);
  }

  /** Withdraws an ended task's pending commands, and writes the `end` of its agent session once. Waits for no answer. */
  end(taskId: string): void {
    const ledger = this.#ledgers.of(taskId);
    if (ledger === null) return;
    const { commands, language } = ledger;
    for (const { id } of commands) this.#withdraw(id);
    const front: CommandFront = {
      id: commandId(taskId),
      session_id: this.#sessionOf(commands),
      command_type: 'end',
    };
    const { sessionEnds } = codingAgentMessages(language);
    this.#writeCommand(front, sessionEnds, { language, clarifications: [], expected: null });
    this.#ledgers.remove(taskId);
  }

  /**
   * Moves complete reports with their commands to `processed`. Logs reports that belong to no command and moves them
   * to `reports/unknown`.
   */
  collect(): void {
    for (const report of this.#files.names('reports/pending')) {
      const place = this.#placeOf(report);
      if (place.name === 'known') {
        this.#withdraw(place.id);
        this.#files.move(report, 'reports/pending', 'reports/processed', reportName(place.id));
      }
      if (place.name === 'unknown') {
        this.#options.log.warn({ report }, 'a report belongs to no known command; it was moved to reports/unknown');
        this.#files.move(report, 'reports/pending', 'reports/unknown');
      }
    }
  }

  /**
   * Ends tasks that are gone, collects reports, and removes files that were finished more than `days` ago. Never
   * removes a folder.
   */
  async clear(hasEnded: Parameters<ToolHooks['recover']>[0]): Promise<void> {
    this.prepare();
    for (const { task_id } of this.#ledgers.all()) if ((await hasEnded(task_id)) ?? true) this.end(task_id);
    this.collect();
    const { days, now = Date.now } = this.#options;
    if (days !== null) this.#removeFinished(now() - days * DAY_MS);
  }

  /** Removes files that were finished before a time, in epoch milliseconds, and belong to no open task. */
  #removeFinished(before: number): void {
    const open = this.#ledgers.openIds();
    for (const folder of FINISHED)
      for (const name of this.#files.names(folder)) {
        const isOpen = open.some((id) => name.includes(id));
        if (!isOpen && (this.#files.changedAt(folder, name) ?? before) < before) this.#files.remove(folder, name);
      }
  }

  #placeOf(report: string): Place {
    const changed = this.#files.changedAt('reports/pending', report);
    const text = this.#files.read('reports/pending', report);
    if (TEMPORARY.test(report) || changed === null || text === null) return { name: 'incomplete' };
    const { id, status, body } = readReport(report, text);
    const isWhole = body !== '' && status !== 'no_status' && status !== 'other_task';
    const { settleMs, graceMs } = this.#options.timeouts ?? TIMEOUTS;
    if (Date.now() - changed < (isWhole ? settleMs : graceMs)) return { name: 'incomplete' };
    return id === null ? { name: 'unknown' } : this.#placeOfReportOn(id);
  }

  #placeOfReportOn(id: string): Place {
    if (this.#ledgers.openIds().includes(id)) return { name: 'known', id };
    const pending = this.#files.read('commands/pending', commandName(id));
    if (pending !== null) return endsSession(pending) ? { name: 'known', id } : { name: 'foreign' };
    return this.#files.has('commands/processed', commandName(id)) ? { name: 'known', id } : { name: 'unknown' };
  }

  /** The agent session named by the newest report that names one, else `auto`. */
  #sessionOf(commands: Command[]): string {
    const named = commands.map(({ id }) => this.reportOn(id)?.session_id ?? null);
    return named.findLast((session_id) => session_id !== null) ?? 'auto';
  }

  /** Writes a command's file unless it already exists. */
  #writeCommand(front: CommandFront, description: string, call: CommandCall): void {
    const name = commandName(front.id);
    if (this.#files.has('commands/pending', name) || this.#files.has('commands/processed', name)) return;
    const { now = Date.now } = this.#options;
    this.#files.write('commands/pending', name, commandText(front, description, call, now()));
  }

  #withdraw(id: string): void {
    this.#files.move(commandName(id), 'commands/pending', 'commands/processed');
  }
}

/** Opens the folder shared with a coding agent. Touches nothing yet. */
export const openBridge = (options: CodingAgentOptions): Bridge => new Bridge(options);
