import type { QueueByKey } from '../../queue-by-key.ts';
import { readReportIn } from './await-report.ts';
import type { Bridge } from './bridge-folder.ts';
import { commandName, idOfReport, reportName, taskKeyOf } from './command-file.ts';
import { type Ledger, type Ledgers, withCommand } from './ledger.ts';

/** How long an `end` stays in `commands/pending` unanswered, in milliseconds: an agent that is off for a night still sees it. */
const END_PENDING_MAX_MS = 24 * 60 * 60 * 1_000;

/** What the coding agent's parts share. */
export interface BridgeParts {
  bridge: Bridge;
  ledgers: Ledgers;
  /** By task id: nothing else of this process touches a task's ledger meanwhile. */
  inTurn: QueueByKey;
  /** The current time in epoch milliseconds. */
  now(): number;
}

const isEnd = (id: string): boolean => /\.end\d+$/.test(id);

/** True for a report that nobody waits for any more: on an `end`, or on a command that timed out, was answered or was withdrawn. */
const isLate = (id: string, { ended, commands }: Ledger): boolean => {
  const state = commands.find((command) => command.id === id)?.state;
  return isEnd(id) || state === 'timed_out' || state === 'reported' || (ended && state !== undefined);
};

/**
 * Moves aside the reports that nobody waits for, with their commands, and `end`s that lay too long. A late report still says
 * its agent session, for the next `continue`. What no ledger here knows belongs to another program and stays where it is.
 */
export const sweepLateReports = async ({ bridge, ledgers, inTurn, now }: BridgeParts): Promise<void> => {
  for (const name of await bridge.names('reportsPending')) {
    const id = idOfReport(name);
    const task = id === null ? undefined : (await ledgers.find(taskKeyOf(id)))?.task_id;
    if (id === null || task === undefined) continue;
    await inTurn(task, async () => {
      const ledger = await ledgers.of(task);
      if (!isLate(id, ledger)) return;
      const command = ledger.commands.find((sent) => sent.id === id);
      const { read } = await readReportIn(bridge, 'reportsPending', id);
      if (command !== undefined && read.ok && command.session_id === null && read.report.session_id !== null)
        await ledgers.save(withCommand(ledger, { ...command, session_id: read.report.session_id }));
      await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
      await bridge.move(reportName(id), 'reportsPending', 'reportsProcessed');
    });
  }
  for (const name of await bridge.names('commandsPending')) {
    if (!/^task-.+\.end\d+\.md$/.test(name)) continue;
    const state = await bridge.stateOf('commandsPending', name);
    if (state !== null && now() - state.modifiedAt > END_PENDING_MAX_MS)
      await bridge.move(name, 'commandsPending', 'commandsProcessed');
  }
};
