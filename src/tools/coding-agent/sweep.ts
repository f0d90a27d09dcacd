import type { Log } from '../../lib/log.ts';
import type { QueueByKey } from '../../lib/queue-by-key.ts';
import { type ReportTimeouts, readReportIn } from './await-report.ts';
import type { Bridge } from './bridge-folder.ts';
import { commandName, isEndCommand } from './command-file.ts';
import type { Inbox, PendingReport } from './inbox.ts';
import { type Ledgers, withCommand } from './ledger.ts';
import { FRONT_BYTES_MAX } from './report-file.ts';

/** How long an `end` stays in `commands/pending` unanswered, in milliseconds: an agent that is off for a night still sees it. */
const END_PENDING_MAX_MS = 24 * 60 * 60 * 1_000;

/** What the coding agent's parts share. */
export interface BridgeParts {
  bridge: Bridge;
  inbox: Inbox;
  ledgers: Ledgers;
  /** By task id: nothing else of this process touches a task's ledger meanwhile. */
  inTurn: QueueByKey;
  /** The current time in epoch milliseconds. */
  now(): number;
  log: Log;
  /** Tells this service's ledgers from those of others on the same folder. */
  service: string;
  /** Tasks that have a ledger and have not ended, at most. */
  tasksMax: number;
  /** How long a report that belongs to no command must be unchanged before it is moved. */
  timeouts: Pick<ReportTimeouts, 'settleMs' | 'graceMs'>;
}

/** Moves a report on a command of a task that has not ended: one that came late or twice. What a call waits for stays. */
const moveLate = ({ bridge, ledgers, inTurn }: BridgeParts, taskId: string, { name }: PendingReport, id: string) =>
  inTurn(taskId, async (): Promise<void> => {
    const ledger = await ledgers.find(taskId);
    const command = ledger?.commands.find((sent) => sent.id === id);
    if (ledger === null || command === undefined) return;
    if (!ledger.ended && (command.state === 'sending' || command.state === 'sent')) return;
    const { read } = await readReportIn(bridge, { folder: 'reportsPending', name }, id);
    const report = command.report ?? (await bridge.freeName('reportsProcessed', name));
    const session_id = command.session_id ?? (read.ok ? read.report.session_id : null);
    if (!ledger.ended) await ledgers.save(withCommand(ledger, { ...command, session_id, report }));
    await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    await bridge.move(name, 'reportsPending', 'reportsProcessed');
  });

const isEndPending = async (bridge: Bridge, name: string): Promise<boolean> =>
  isEndCommand((await bridge.read('commandsPending', name, FRONT_BYTES_MAX)) ?? '');

/** Moves a report on a command that is in no open ledger: on an `end`, on one of a task that has ended, or on none at all. */
const moveOther = async ({ bridge, log, timeouts }: BridgeParts, { name, id, quietMs }: PendingReport) => {
  if (id !== null) {
    const command = commandName(id);
    if (await isEndPending(bridge, command)) {
      await bridge.move(command, 'commandsPending', 'commandsProcessed');
      await bridge.move(name, 'reportsPending', 'reportsProcessed');
      return;
    }
    // Another program's, which takes the report itself.
    if ((await bridge.stateOf('commandsPending', command)) !== null) return;
    if ((await bridge.stateOf('commandsProcessed', command)) !== null) {
      await bridge.move(name, 'reportsPending', 'reportsProcessed');
      return;
    }
  }
  // One that names no command is perhaps still being written.
  if (quietMs < (id === null ? timeouts.graceMs : timeouts.settleMs)) return;
  log.warn(
    { report: name },
    'a report of a coding agent belongs to no waiting command; it is moved to reports/unknown',
  );
  await bridge.move(name, 'reportsPending', 'reportsUnknown');
};

/**
 * Moves aside the reports that no call waits for, with their commands. A late report still names its agent session, for the next `continue`. What
 * belongs to no command is named in the log and goes to `reports/unknown`.
 */
export const sweepReports = async (parts: BridgeParts): Promise<void> => {
  const { inbox, ledgers } = parts;
  const reports = await inbox.list();
  if (reports.length === 0) return;
  const named = new Set(reports.map(({ id }) => id));
  const taskOf = new Map<string, string>();
  for await (const { task_id, commands } of ledgers.open())
    for (const { id } of commands) if (named.has(id)) taskOf.set(id, task_id);
  let failure: unknown;
  for (const report of reports) {
    const taskId = report.id === null ? undefined : taskOf.get(report.id);
    try {
      if (report.id !== null && taskId !== undefined) await moveLate(parts, taskId, report, report.id);
      else await moveOther(parts, report);
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) parts.log.warn({ err: failure }, 'a report of a coding agent can not be moved aside');
};

/** Moves aside `end`s that were pending too long. It looks at all that is in `commands/pending`, however much another program puts there. */
export const sweepEnds = async ({ bridge, now }: BridgeParts): Promise<void> => {
  for await (const name of bridge.names('commandsPending')) {
    const state = await bridge.stateOf('commandsPending', name);
    if (state !== null && now() - state.modifiedAt > END_PENDING_MAX_MS && (await isEndPending(bridge, name)))
      await bridge.move(name, 'commandsPending', 'commandsProcessed');
  }
};
