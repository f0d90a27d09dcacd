import type { Language } from '../../../contracts/language.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/observation.ts';
import type { Log } from '../../lib/log.ts';
import { queueByKey } from '../../lib/queue-by-key.ts';
import type { OutsideTool, TaskToolCall } from '../port.ts';
import type { Executor } from '../registry.ts';
import { awaitReport, type ReportTimeouts, readReportIn } from './await-report.ts';
import { BridgeUnusable, openBridge } from './bridge-folder.ts';
import { clearEnded, type KeptLimits } from './clear-ended.ts';
import { commandName } from './command-file.ts';
import { createInbox } from './inbox.ts';
import { createLedgers, type SentCommand, withCommand } from './ledger.ts';
import { endCommands, sendCommand } from './send-command.ts';
import { type BridgeParts, sweepEnds, sweepReports } from './sweep.ts';

/** Polling interval where the file system reports no changes, in milliseconds: soon for a person, seldom for a network file system. */
const POLL_MS = 1_000;
/** How long a report must be unchanged, in milliseconds: longer than the pauses of a program that writes one in pieces. */
const SETTLE_MS = 500;
/** How long an empty or unreadable report may still be put right, in milliseconds: time for a person to save again. */
const GRACE_MS = 10_000;
/** What the tool needs beside its waiting, in milliseconds: a few files on a slow disk. */
const MARGIN_MS = 10_000;
/** Least time between two sweeps of a call that waits, in milliseconds: a stray report is for a person, who is not in a hurry. */
const SWEEP_MS = 2_000;
/** Interval of the sweeps for what comes while no call waits, in milliseconds. */
const SWEEP_IDLE_MS = 10_000;
/** Interval at which what has ended or was pending too long is cleared, in milliseconds, and after how many moved files it is sooner: a flood is soon cut, and all else seldom listed. */
const CLEAR_MS = 60 * 60 * 1_000;
const CLEAR_MOVES = 1_000;
/** Longest excerpt of a late report in the next observation, in characters: its own report matters more. */
const LATE_CHARS_MAX = 2_000;

export interface CodingAgentParts {
  /** The folder shared with the coding agent (`TRIPACT_BRIDGE_DIR`). */
  bridgeDir: string;
  /** Longest wait for a report, in milliseconds (`TRIPACT_BRIDGE_TIMEOUT_MS`). */
  timeoutMs: number;
  /** What is kept of commands and reports that have ended. */
  kept: KeptLimits;
  /** Tasks that have sent a command and have not ended, at most. */
  tasksMax: number;
  /** Tells this service from others that share the folder; the same at every start. */
  service: string;
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
   * On startup: does what `taskEnded` does for tasks that ended while the service was down, moves late reports aside, and clears what is kept no longer.
   * `hasEnded` is null for a task that the service doesn't know: one that it sent commands of was removed, any other is another service's. From then on
   * all of that is done at intervals. Never rejects.
   */
  recover(hasEnded: (taskId: string) => Promise<boolean | null>): Promise<void>;
  /** The service stops: the folder is no longer searched. */
  stop(): void;
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

/** Calls `work` at most once in `ms` milliseconds, and does nothing in between. */
const throttled = (work: () => Promise<void>, ms: number): (() => Promise<void>) => {
  let next = 0;
  return async () => {
    if (performance.now() < next) return;
    await work();
    next = performance.now() + ms;
  };
};

const observationOf = async (
  { bridge }: BridgeParts,
  id: string,
  name: string,
  language: Language,
): Promise<ToolResult> => {
  const texts = messages(language).codingAgent;
  const { text, read } = await readReportIn(bridge, { folder: 'reportsProcessed', name }, id);
  if (read.ok) {
    const { status, body } = read.report;
    return {
      ok: status === 'SUCCESS',
      result: `${status}\n\n${body === '' ? texts.emptyReport : body}`,
    };
  }
  const { name: problem, detail } = read.problem;
  const file = `reports/processed/${name}`;
  return { ok: false, result: texts.unreadableReport(texts.problem[problem](detail), file, text.trim()) };
};

/** What came too late for earlier calls on the same item, newest only; empty when nothing did. */
const lateReport = async (
  { bridge, ledgers }: BridgeParts,
  { id, item_id }: SentCommand,
  { task_id, language }: TaskToolCall,
): Promise<string> => {
  const commands = (await ledgers.find(task_id))?.commands ?? [];
  const missed = commands.filter((sent) => sent.item_id === item_id && sent.state === 'timed_out' && sent.id !== id);
  for (const { id: earlier, report: name } of missed.reverse()) {
    if (name === null) continue;
    const { read } = await readReportIn(bridge, { folder: 'reportsProcessed', name }, earlier);
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
  const { bridge, inbox, ledgers, inTurn } = parts;
  await bridge.prepare();
  await sweepReports(parts);
  const sent = await sendCommand(parts, input, call);
  const { id } = sent;
  // A wait that ended before a crash is not started again.
  const timeoutMs = sent.state === 'timed_out' ? 0 : timeouts.timeoutMs;
  const sweepWhileIdle = throttled(() => sweepReports(parts), SWEEP_MS);
  const awaited = { id, processed: sent.report };
  const found = await awaitReport(bridge, inbox, awaited, { ...timeouts, timeoutMs }, call.signal, sweepWhileIdle);
  await bridge.prepare();
  const report = await inTurn(call.task_id, async () => {
    const ledger = await ledgers.find(call.task_id);
    if (ledger === null) throw new Error('the ledger of this task was removed');
    const isPending = found?.folder === 'reportsPending';
    const name = isPending ? await bridge.freeName('reportsProcessed', found.name) : (found?.name ?? null);
    const session_id = found?.read.ok ? found.read.report.session_id : null;
    const state = found === null ? 'timed_out' : 'reported';
    if (!ledger.ended) await ledgers.save(withCommand(ledger, { ...sent, state, session_id, report: name }));
    await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    if (isPending) await bridge.move(found.name, 'reportsPending', 'reportsProcessed');
    return name;
  });
  await sweepReports(parts);
  const late = await lateReport(parts, sent, call);
  if (report !== null) {
    const { ok, result } = await observationOf(parts, id, report, call.language);
    return { ok, result: `${result}${late}` };
  }
  return { ok: false, result: messages(call.language).codingAgent.noReport(timeouts.timeoutMs) + late };
};

/** Makes the `coding_agent` tool over a folder (SPEC 10). It reads and writes nothing outside that folder. */
export const createCodingAgent = ({
  bridgeDir,
  timeoutMs,
  kept,
  tasksMax,
  service,
  log,
  now = Date.now,
  ...rest
}: CodingAgentParts): CodingAgent => {
  const bridge = openBridge(bridgeDir);
  const timeouts: ReportTimeouts = {
    pollMs: POLL_MS,
    settleMs: SETTLE_MS,
    graceMs: GRACE_MS,
    ...rest.timeouts,
    timeoutMs,
  };
  const ledgers = createLedgers(bridge, log);
  const inTurn = queueByKey();
  const parts: BridgeParts = {
    bridge,
    inbox: createInbox(bridge),
    ledgers,
    inTurn,
    now,
    log,
    service,
    tasksMax,
    timeouts,
  };
  /** Does some work on the folder once a command was ever sent there. Never rejects. */
  const onFolder = async (work: () => Promise<void>): Promise<void> => {
    try {
      if (!(await bridge.isInUse())) return;
      await bridge.prepare();
      await work();
    } catch (error) {
      log.warn({ err: error }, 'the bridge to the coding agent could not be searched');
    }
  };
  let sweeping: NodeJS.Timeout | undefined;
  const taskEnded = (taskId: string): Promise<void> =>
    endCommands(parts, taskId).catch((error: unknown) => {
      log.warn({ err: error, task_id: taskId }, 'the coding agent could not be notified that a task ended');
    });
  const endTasks = async (hasEnded: (taskId: string) => Promise<boolean | null>): Promise<void> => {
    for await (const ledger of ledgers.open())
      if ((await hasEnded(ledger.task_id)) ?? ledger.service === service) await taskEnded(ledger.task_id);
  };
  const cleared = { at: 0, moves: 0 };
  const clearWhenDue = async (hasEnded: (taskId: string) => Promise<boolean | null>): Promise<void> => {
    if (performance.now() < cleared.at + CLEAR_MS && bridge.moves() < cleared.moves + CLEAR_MOVES) return;
    await endTasks(hasEnded);
    await clearEnded(parts, kept);
    Object.assign(cleared, { at: performance.now(), moves: bridge.moves() });
  };
  return {
    tool: {
      name: 'coding_agent',
      description: messages('en').commands.summaries.coding_agent,
      usage: messages('en').codingAgent.usage,
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
      const endsWhenDue = throttled(() => sweepEnds(parts), CLEAR_MS);
      await onFolder(async () => {
        await endTasks(hasEnded);
        await sweepReports(parts);
        await endsWhenDue();
        await clearEnded(parts, kept);
      });
      Object.assign(cleared, { at: performance.now(), moves: bridge.moves() });
      const sweep = async (): Promise<void> => {
        await sweepReports(parts);
        await endsWhenDue();
        await clearWhenDue(hasEnded);
      };
      let isSweeping = false;
      sweeping ??= setInterval(() => {
        if (isSweeping) return;
        isSweeping = true;
        void onFolder(sweep).finally(() => {
          isSweeping = false;
        });
      }, SWEEP_IDLE_MS).unref();
    },
    stop: () => clearInterval(sweeping),
  };
};
