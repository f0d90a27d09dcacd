import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { cutText, Language } from '../../../contracts/text.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Log } from '../../lib/log.ts';
import { readStart } from '../../workspace/read-files.ts';
import { writeFileWhole } from '../../workspace/write-file.ts';
import type { TaskToolCall, ToolHooks } from '../port.ts';
import { codingAgentMessages } from './messages.ts';
import { readReport } from './read-report.ts';

/** The folders of the bridge (SPEC 10). Only Tripact uses `.tripact`, which holds the ledgers. */
const FOLDERS = [
  'commands/pending',
  'commands/processed',
  'reports/pending',
  'reports/processed',
  'reports/unknown',
  '.tripact',
] as const;
type BridgeFolder = (typeof FOLDERS)[number];

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
type Ledger = z.infer<typeof Ledger>;
type Command = Ledger['commands'][number];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Longest constraint of a command, in characters: the agent reads all constraints again with each command. */
const CONSTRAINT_CHARS_MAX = 4_000;

/** Files that are still being written, by the conventions of editors and programs. */
const TEMPORARY = /^\.|~$|\.(?:tmp|part|swp)$/i;

/** The text of a command that ends an agent session. */
const END_COMMAND = /^---\n(?:.+\n)*?command_type: end\n/;

/** Namespace of the command ids (RFC 9562, section 5.5): a random UUID of this project. */
const NAMESPACE = Buffer.from('7d2c8f1e4b0a4c39a6e50f9d13b7c842', 'hex');

/**
 * The id of the command that an effect sends, or of the one that ends a task's agent session: a name-based UUID
 * (version 5), always the same.
 */
export const commandId = (taskId: string, effectId = 'end 1'): string => {
  const bytes = createHash('sha1').update(NAMESPACE).update(`${taskId}\n${effectId}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

const commandName = (id: string): string => `task-${id}.md`;
export const reportName = (id: string): string => `report-task-${id}.md`;
const ledgerName = (taskId: string): string => `${taskId.replace(/^task_/, '')}.json`;

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

/**
 * Opens the folder shared with a coding agent, for one service's ledgers. Touches nothing yet. Synchronous, so that
 * nothing runs between two steps.
 */
export const openBridge = (options: CodingAgentOptions) => {
  const { bridgeDir, days, service, log, now = Date.now, timeouts = TIMEOUTS } = options;
  const pathOf = (folder: BridgeFolder, name = ''): string => join(bridgeDir, folder, name);
  const has = (folder: BridgeFolder, name: string): boolean => existsSync(pathOf(folder, name));
  /** The beginning of a file's text; null: there is no such file. */
  const read = (folder: BridgeFolder, name: string): string | null =>
    has(folder, name) ? readStart(pathOf(folder, name), FILE_BYTES_MAX).toString() : null;
  /** When a file was last changed or moved, in epoch milliseconds; null: there is no such file. */
  const changedAt = (folder: BridgeFolder, name: string): number | null =>
    statSync(pathOf(folder, name), { throwIfNoEntry: false })?.ctimeMs ?? null;
  /** The names of the files in a folder, without links. */
  const names = (folder: BridgeFolder): string[] =>
    readdirSync(pathOf(folder), { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const write = (folder: BridgeFolder, name: string, text: string): void =>
    writeFileWhole(pathOf(folder, name), text, { isDurable: true });
  const remove = (folder: BridgeFolder, name: string): void => rmSync(pathOf(folder, name), { force: true });
  /** Moves a file, by default under its own name. A missing file is not an error. */
  const move = (name: string, from: BridgeFolder, to: BridgeFolder, newName = name): void => {
    if (has(from, name)) renameSync(pathOf(from, name), pathOf(to, newName));
  };
  const withdraw = (id: string): void => move(commandName(id), 'commands/pending', 'commands/processed');

  const readLedger = (name: string): Ledger | null => {
    try {
      const ledger = Ledger.nullable().parse(JSON.parse(read('.tripact', name) ?? 'null'));
      return ledger?.service === service ? ledger : null;
    } catch (error) {
      log.warn({ err: error, ledger: name }, 'a ledger of the coding agent cannot be read');
      return null;
    }
  };
  const ledgers = (): Ledger[] => {
    const files = names('.tripact').filter((name) => name.endsWith('.json'));
    return files.map(readLedger).filter((ledger) => ledger !== null);
  };
  /** The commands of a task; none if it sent none or has ended. If they cannot be read, logs that and returns none. */
  const commandsOf = (taskId: string): Command[] => readLedger(ledgerName(taskId))?.commands ?? [];
  /** Records a command in its ledger, appending it or replacing its earlier record. */
  const record = ({ task_id, language }: Pick<TaskToolCall, 'task_id' | 'language'>, command: Command): void => {
    const commands = [...new Map([...commandsOf(task_id), command].map((one) => [one.id, one])).values()];
    const ledger: Ledger = { task_id, service, language, commands };
    write('.tripact', ledgerName(task_id), `${JSON.stringify(ledger, null, 2)}\n`);
  };

  /** The report on a command that was already collected; null: none yet. */
  const reportOn = (id: string) => {
    const text = read('reports/processed', reportName(id));
    return text === null ? null : readReport(reportName(id), text);
  };
  /** The agent session named by the newest report that names one, else `auto`. */
  const sessionOf = (commands: Command[]): string => {
    const named = commands.map(({ id }) => reportOn(id)?.session_id ?? null);
    return named.findLast((session_id) => session_id !== null) ?? 'auto';
  };

  /**
   * Writes a command's file unless it already exists: front matter, then three sections with the description verbatim.
   */
  const writeCommand = (
    { id, ...session }: { id: string; session_id: string; command_type: 'new' | 'continue' | 'end' },
    description: string,
    { language, clarifications, expected }: Pick<TaskToolCall, 'language' | 'clarifications' | 'expected'>,
  ): void => {
    const name = commandName(id);
    if (has('commands/pending', name) || has('commands/processed', name)) return;
    const { headings, none } = codingAgentMessages(language);
    const fields = { id: `task-${id}`, created_at: iso(now()), ...session };
    const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
    const constraints = clarifications.map((text) => cutText(text.trim(), CONSTRAINT_CHARS_MAX).replace(/\n/g, '\n  '));
    const sections = [
      `---\n${lines.join('\n')}\n---`,
      `## ${headings.description}\n\n${description}`,
      `## ${headings.constraints}\n\n${constraints.map((text) => `- ${text}`).join('\n') || none}`,
      `## ${headings.expected}\n\n${expected ?? none}\n`,
    ];
    write('commands/pending', name, sections.join('\n\n'));
  };

  const bridge = {
    prepare: (): void => {
      for (const folder of FOLDERS) mkdirSync(pathOf(folder), { recursive: true, mode: 0o700 });
    },
    commandsOf,
    reportOn,
    /** Sends and records the command of a call, once, however often the call is repeated. */
    send: (id: string, description: string, call: Omit<TaskToolCall, 'signal'>): void => {
      const commands = commandsOf(call.task_id);
      if (commands.some((command) => command.id === id)) return;
      const session_id = sessionOf(commands);
      writeCommand({ id, session_id, command_type: session_id === 'auto' ? 'new' : 'continue' }, description, call);
      record(call, { id, item_id: call.item_id, timed_out: false });
    },
    /** Withdraws a command whose report did not arrive in time. */
    giveUp: (command: Command, call: Pick<TaskToolCall, 'task_id' | 'language'>): void => {
      record(call, { ...command, timed_out: true });
      withdraw(command.id);
    },
    /**
     * Withdraws an ended task's pending commands, and writes the `end` of its agent session once. Waits for no answer.
     */
    end: (taskId: string): void => {
      const ledger = readLedger(ledgerName(taskId));
      if (ledger === null) return;
      const { commands, language } = ledger;
      for (const { id } of commands) withdraw(id);
      const front = { id: commandId(taskId), session_id: sessionOf(commands), command_type: 'end' } as const;
      writeCommand(front, codingAgentMessages(language).sessionEnds, { language, clarifications: [], expected: null });
      remove('.tripact', ledgerName(taskId));
    },
    /**
     * Moves complete reports with their commands to `processed`. Logs reports that belong to no command and moves them
     * to `reports/unknown`.
     */
    collect: (): void => {
      for (const name of names('reports/pending')) {
        const changed = changedAt('reports/pending', name);
        const text = read('reports/pending', name);
        if (TEMPORARY.test(name) || changed === null || text === null) continue;
        const { id, status, body } = readReport(name, text);
        const isWhole = body !== '' && status !== 'no_status' && status !== 'other_task';
        if (Date.now() - changed < (isWhole ? timeouts.settleMs : timeouts.graceMs)) continue;
        const command = id === null ? null : read('commands/pending', commandName(id));
        const isOpen = ledgers().some(({ commands }) => commands.some((sent) => sent.id === id));
        // Another program's command; that program collects the report itself.
        if (command !== null && !isOpen && !END_COMMAND.test(command)) continue;
        if (id !== null && (isOpen || command !== null || has('commands/processed', commandName(id)))) {
          withdraw(id);
          move(name, 'reports/pending', 'reports/processed', reportName(id));
          continue;
        }
        log.warn({ report: name }, 'a report belongs to no known command; it was moved to reports/unknown');
        move(name, 'reports/pending', 'reports/unknown');
      }
    },
    /**
     * Ends tasks that are gone, collects reports, and removes files that were finished more than `days` ago. Never
     * removes a folder.
     */
    clear: async (hasEnded: Parameters<ToolHooks['recover']>[0]): Promise<void> => {
      bridge.prepare();
      for (const { task_id } of ledgers()) if ((await hasEnded(task_id)) ?? true) bridge.end(task_id);
      bridge.collect();
      if (days === null) return;
      const before = now() - days * DAY_MS;
      const open = ledgers().flatMap(({ commands }) => commands.map(({ id }) => id));
      for (const folder of ['commands/processed', 'reports/processed', 'reports/unknown'] as const)
        for (const name of names(folder)) {
          const isOpen = open.some((id) => name.includes(id));
          if (!isOpen && (changedAt(folder, name) ?? before) < before) remove(folder, name);
        }
    },
  };
  return bridge;
};
