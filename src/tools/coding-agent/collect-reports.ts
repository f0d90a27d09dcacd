import type { Log } from '../../lib/log.ts';
import type { QueueByKey } from '../../lib/queue-by-key.ts';
import type { Bridge } from './bridge.ts';
import { commandName, isEndCommand } from './command.ts';
import { type Ledgers, withCommand } from './ledger.ts';
import { idInName, idInText, type ReadReport, readReport } from './report.ts';

/** Waits of the bridge, in milliseconds. */
export interface BridgeTimeouts {
  /** Between two looks at the folder. */
  pollMs: number;
  /** A report must stay unchanged before it is taken: it may still be being written. */
  settleMs: number;
  /** One that is empty or can't be read must stay unchanged this long before it is taken for what it is. */
  graceMs: number;
}

/** What the coding agent's parts share. */
export interface BridgeParts {
  bridge: Bridge;
  ledgers: Ledgers;
  /** By task id: nothing else of this process touches a task's ledger meanwhile. */
  inTurn: QueueByKey;
  /** The current time in epoch milliseconds. */
  now(): number;
  log: Log;
  /** Tells this service's ledgers from those of others on the same folder. */
  service: string;
  timeouts: BridgeTimeouts;
}

/** Files that are still being written, by the conventions of editors and programs. */
const TEMPORARY = /^\.|~$|\.(?:tmp|part|swp)$/i;

/**
 * Creates the function that moves finished reports from `reports/pending`, with their commands, to `processed`, and records in the ledgers
 * which report belongs to which command. What belongs to no command is logged and goes to `reports/unknown`; reports for other services
 * and programs on the folder stay. Gives the commands whose reports are still being written.
 */
export const createCollector = (parts: BridgeParts): (() => Promise<Set<string>>) => {
  const { bridge, ledgers, inTurn, log, service } = parts;
  const { settleMs, graceMs } = parts.timeouts;
  let seen = new Map<string, { mark: string; since: number }>();
  let running: Promise<Set<string>> | null = null;

  const quietMs = async (name: string, marks: typeof seen): Promise<number> => {
    const stats = await bridge.statOf('reportsPending', name);
    if (stats === null) return 0;
    const mark = `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
    const known = seen.get(name);
    const since = known?.mark === mark ? known.since : performance.now();
    marks.set(name, { mark, since });
    return Math.max(performance.now() - since, Date.now() - stats.mtimeMs);
  };

  const putAside = async (name: string, id: string): Promise<void> => {
    await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    await bridge.move(name, 'reportsPending', 'reportsProcessed');
  };

  /** Takes the report on a command of an open task. The ledger knows of it before it is moved, so a crash loses neither. */
  const take = (taskId: string, name: string, id: string, read: ReadReport): Promise<void> =>
    inTurn(taskId, async () => {
      const ledger = await ledgers.find(taskId);
      const command = ledger?.commands.find((sent) => sent.id === id);
      if (ledger !== null && !ledger.ended && command?.report === null) {
        const state = command.state === 'timed_out' ? command.state : 'reported';
        const session_id = read.ok ? read.report.session_id : null;
        const report = await bridge.freeName('reportsProcessed', name);
        await ledgers.save(withCommand(ledger, { ...command, state, session_id, report }));
      }
      await putAside(name, id);
    });

  const takeOther = async (name: string, id: string | null): Promise<void> => {
    if (id !== null) {
      const pending = await bridge.read('commandsPending', commandName(id));
      // Another program's, which takes the report itself.
      if (pending !== null && !isEndCommand(pending)) return;
      const isOwn = pending !== null || (await bridge.statOf('commandsProcessed', commandName(id))) !== null;
      if (isOwn) return putAside(name, id);
    }
    log.warn(
      { report: name },
      'a report of a coding agent belongs to no waiting command; it is moved to reports/unknown',
    );
    await bridge.move(name, 'reportsPending', 'reportsUnknown');
  };

  const collect = async (): Promise<Set<string>> => {
    const writing = new Set<string>();
    const marks: typeof seen = new Map();
    const names = (await bridge.names('reportsPending')).filter((name) => !TEMPORARY.test(name));
    const open = names.length === 0 ? [] : await ledgers.open();
    for (const name of names) {
      const quiet = await quietMs(name, marks);
      const text = await bridge.read('reportsPending', name);
      const id = idInName(name) ?? (text === null ? null : await idInText(text));
      const read = await readReport(text, id ?? '');
      const ledger = open.find(({ commands }) => commands.some((sent) => sent.id === id));
      const state = ledger?.commands.find((sent) => sent.id === id)?.state;
      const isLate = id !== null && state !== 'sending' && state !== 'sent';
      const isWhole = read.ok && read.report.body !== '';
      const waitMs = isWhole ? settleMs : graceMs;
      if (!isLate && quiet < waitMs) writing.add(id ?? '');
      else if (ledger === undefined) await takeOther(name, id);
      else if (id !== null && (ledger.service ?? service) === service) await take(ledger.task_id, name, id, read);
    }
    seen = marks;
    return writing;
  };

  // Calls that wait at the same time share one look.
  return () => {
    running ??= collect().finally(() => {
      running = null;
    });
    return running;
  };
};
