import type { Language } from '../../../contracts/language.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/observation.ts';
import type { Log } from '../../log.ts';
import { queueByKey } from '../../queue-by-key.ts';
import type { OutsideTool, TaskToolCall } from '../port.ts';
import type { Executor } from '../registry.ts';
import { awaitReport, type ReportTimeouts, readReportIn } from './await-report.ts';
import { BridgeUnusable, openBridge } from './bridge-folder.ts';
import { commandName, reportName } from './command-file.ts';
import { createLedgers, type SentCommand, withCommand } from './ledger.ts';
import { endCommands, sendCommand } from './send-command.ts';
import { type BridgeParts, sweepLateReports } from './sweep.ts';

/** Polling interval where the file system reports no changes, in milliseconds: soon for a person, seldom for a network file system. */
const POLL_MS = 1_000;
/** How long a report must be unchanged, in milliseconds: longer than the pauses of a program that writes one in pieces. */
const SETTLE_MS = 500;
/** How long an empty or unreadable report may still be put right, in milliseconds: time for a person to save again. */
const GRACE_MS = 10_000;
/** What the tool needs beside its waiting, in milliseconds: a few files on a slow disk. */
const MARGIN_MS = 10_000;
/** Longest excerpt of a late report in the next observation, in characters: its own report matters more. */
const LATE_CHARS_MAX = 2_000;

export interface CodingAgentParts {
  /** The folder shared with the coding agent (`TRIPACT_BRIDGE_DIR`). */
  bridgeDir: string;
  /** Longest wait for a report, in milliseconds (`TRIPACT_BRIDGE_TIMEOUT_MS`). */
  timeoutMs: number;
  log: Log;
  /** The current time in epoch milliseconds. */
  now?: () => number;
  /** Other waits than the service's. */
  timeouts?: Partial<Omit<ReportTimeouts, 'timeoutMs'>>;
}

/** The `coding_agent` tool, and the notifications its bridge needs besides calls. */
export interface CodingAgent {
  tool: OutsideTool;
  /** A task ended, whatever the outcome: its commands are withdrawn and `end` is written, not waited for. Never rejects. */
  taskEnded(taskId: string): Promise<void>;
  /**
   * On startup: does what `taskEnded` does for tasks that ended while the service was down, and moves late reports aside. `hasEnded` is false for a
   * task that the service doesn't know. Never rejects.
   */
  recover(hasEnded: (taskId: string) => Promise<boolean>): Promise<void>;
}

/** The built-in executor `coding_agent` (SPEC 5): its steps bear the tag `[CODE]`. */
export const codingAgentExecutor: Executor = {
  name: 'coding_agent',
  description: 'Steps for a coding agent that works on files of its own, tag [CODE].',
  tools: ['coding_agent'],
  prompt:
    'You direct a coding agent. One call sends it one command and brings back one report. It knows nothing but what you ' +
    'write: say what to do, in which files, and how to tell that it is done. After a report decide: the step is done; call ' +
    'again with what is to be put right (the agent goes on in the same session); or ask the user.',
};

const observationOf = async (parts: BridgeParts, id: string, language: Language): Promise<ToolResult> => {
  const texts = messages(language).codingAgent;
  const { text, read } = await readReportIn(parts.bridge, 'reportsProcessed', id);
  if (read.ok) {
    const { status, body } = read.report;
    return {
      ok: status === 'SUCCESS',
      result: `${status}\n\n${body === '' ? texts.emptyReport : body}`,
    };
  }
  const { name, detail } = read.problem;
  const file = `reports/processed/${reportName(id)}`;
  return { ok: false, result: texts.unreadableReport(texts.problem[name](detail), file, text.trim()) };
};

/** What came too late for earlier calls on the same item, newest only; empty when nothing did. */
const lateReport = async (
  { bridge, ledgers }: BridgeParts,
  { id, item_id }: SentCommand,
  { task_id, language }: TaskToolCall,
): Promise<string> => {
  const { commands } = await ledgers.of(task_id);
  const missed = commands.filter((sent) => sent.item_id === item_id && sent.state === 'timed_out' && sent.id !== id);
  for (const { id: earlier } of missed.reverse()) {
    if ((await bridge.stateOf('reportsProcessed', reportName(earlier))) === null) continue;
    const { read } = await readReportIn(bridge, 'reportsProcessed', earlier);
    if (!read.ok) continue;
    const { status, body } = read.report;
    const text = messages(language).codingAgent.lateReport(`task-${earlier}`, status, body.slice(0, LATE_CHARS_MAX));
    return `\n\n${text}`;
  }
  return '';
};

/** Sends the call's command, waits for its report, and puts both aside before it gives the observation. */
const converse = async (
  parts: BridgeParts,
  timeouts: ReportTimeouts,
  input: string,
  call: TaskToolCall,
): Promise<ToolResult> => {
  const { bridge, ledgers, inTurn } = parts;
  await bridge.prepare();
  await sweepLateReports(parts);
  const sent = await sendCommand(parts, input, call);
  const { id } = sent;
  // A wait that ended before a crash is not started again.
  const timeoutMs = sent.state === 'timed_out' ? 0 : timeouts.timeoutMs;
  const read = await awaitReport(bridge, id, { ...timeouts, timeoutMs }, call.signal);
  await bridge.prepare();
  await inTurn(call.task_id, async () => {
    const session_id = read?.ok ? read.report.session_id : null;
    const entry: SentCommand = { ...sent, state: read === null ? 'timed_out' : 'reported', session_id };
    await ledgers.save(withCommand(await ledgers.of(call.task_id), entry));
    await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    if (read !== null) await bridge.move(reportName(id), 'reportsPending', 'reportsProcessed');
  });
  await sweepLateReports(parts);
  const late = await lateReport(parts, sent, call);
  if (read !== null) {
    const { ok, result } = await observationOf(parts, id, call.language);
    return { ok, result: `${result}${late}` };
  }
  return { ok: false, result: messages(call.language).codingAgent.noReport(timeouts.timeoutMs) + late };
};

/** Makes the `coding_agent` tool over a folder (SPEC 10). It reads and writes nothing outside that folder. */
export const createCodingAgent = ({
  bridgeDir,
  timeoutMs,
  log,
  now = Date.now,
  ...rest
}: CodingAgentParts): CodingAgent => {
  const bridge = openBridge(bridgeDir);
  const parts: BridgeParts = { bridge, ledgers: createLedgers(bridge, log), inTurn: queueByKey(), now };
  const timeouts: ReportTimeouts = {
    pollMs: POLL_MS,
    settleMs: SETTLE_MS,
    graceMs: GRACE_MS,
    ...rest.timeouts,
    timeoutMs,
  };
  const taskEnded = (taskId: string): Promise<void> =>
    endCommands(parts, taskId).catch((error: unknown) => {
      log.warn({ err: error, task_id: taskId }, 'the coding agent could not be notified that a task ended');
    });
  return {
    tool: {
      name: 'coding_agent',
      description: 'Sends a command to a coding agent and waits for its report. It works on files of its own.',
      usage: '<what the coding agent should do, in full sentences>',
      writes: true,
      effect: 'idempotent',
      timeoutMs: timeoutMs + timeouts.graceMs + MARGIN_MS,
      run: async (input, call) => {
        const texts = messages(call.language).codingAgent;
        if (input.trim() === '') return { ok: false, result: texts.missingInstruction };
        try {
          return await converse(parts, timeouts, input, call);
        } catch (error) {
          if (call.signal.aborted) throw error;
          log.error({ err: error, task_id: call.task_id }, 'the bridge to the coding agent failed');
          const { code } = error as NodeJS.ErrnoException;
          if (error instanceof BridgeUnusable) throw new Error(texts.bridgeUnusable(error.folder), { cause: error });
          if (code === undefined) throw error;
          return { ok: false, result: texts.bridgeFailed(code) };
        }
      },
    },
    taskEnded,
    recover: async (hasEnded) => {
      try {
        if (!(await bridge.isInUse())) return;
        await bridge.prepare();
        for (const { task_id } of await parts.ledgers.open()) if (await hasEnded(task_id)) await taskEnded(task_id);
        await sweepLateReports(parts);
      } catch (error) {
        log.warn({ err: error }, 'the bridge to the coding agent could not be looked through');
      }
    },
  };
};
