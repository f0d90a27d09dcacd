import { setTimeout as wait } from 'node:timers/promises';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import type { Language } from '../../../contracts/text.ts';
import type { Log } from '../../lib/log.ts';
import { queueByKey } from '../../lib/queue-by-key.ts';
import type { OutsideTool, TaskToolCall, ToolHooks } from '../port.ts';
import type { Executor } from '../registry.ts';
import { BridgeUnusable, openBridge } from './bridge.ts';
import { clearEnded, type KeptLimits, withdrawEnds } from './clear-ended.ts';
import { type BridgeParts, type BridgeTimeouts, createCollector } from './collect-reports.ts';
import { commandName } from './command.ts';
import { type Ledger, openLedgers, type SentCommand, withCommand } from './ledger.ts';
import { readReport } from './report.ts';
import { endCommands, sendCommand } from './send-command.ts';

const TIMEOUTS: BridgeTimeouts = { pollMs: 500, settleMs: 500, graceMs: 10_000 };
/** Time for the tool beside its waiting, in milliseconds: a few files on a slow disk. */
const MARGIN_MS = 10_000;
/** Interval for reports that come while no call waits, in milliseconds. */
const IDLE_MS = 10_000;
/** Interval for removing what has ended, in milliseconds. */
const CLEAR_MS = 60 * 60 * 1_000;
/** Longest excerpt of a late report in the next observation, in characters: its own report matters more. */
const LATE_CHARS_MAX = 2_000;

export interface CodingAgentParts {
  /** The folder shared with the coding agent (`TRIPACT_BRIDGE_DIR`). */
  bridgeDir: string;
  /** Longest wait for a report, in milliseconds (`TRIPACT_BRIDGE_TIMEOUT_MS`). */
  timeoutMs: number;
  kept: KeptLimits;
  /** Tells this service from others that share the folder; the same at every start. */
  service: string;
  log: Log;
  now?: () => number;
  /** Other waits than the service's. */
  timeouts?: BridgeTimeouts;
}

/**
 * The `coding_agent` tool with its hooks. An ended task's commands are withdrawn, and its `end` is written. At the start, and then at
 * intervals: tasks that have ended, and those of this service that were removed, are ended; late reports are put aside; old files are removed.
 */
export interface CodingAgent extends ToolHooks {
  tool: OutsideTool;
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

const help = (language: Language) => ({
  summary: messages(language).commands.summaries.coding_agent,
  usage: messages(language).codingAgent.usage,
});

/** Writes the observation for a report that was put aside. */
const observationOf = async ({ bridge }: BridgeParts, id: string, name: string, call: TaskToolCall) => {
  const texts = messages(call.language).codingAgent;
  const text = await bridge.read('reportsProcessed', name);
  const read = await readReport(text, id);
  if (read.ok) {
    const { status, body } = read.report;
    return { ok: status === 'SUCCESS', result: `${status}\n\n${body === '' ? texts.emptyReport : body}` };
  }
  const problem = texts.problem[read.problem](read.detail ?? '');
  const result = texts.unreadableReport(problem, `reports/processed/${name}`, (text ?? '').trim());
  return { ok: false, result };
};

/** Quotes the newest report that came too late for an earlier call on the same item; empty where there is none. */
const lateReport = async ({ bridge }: BridgeParts, { commands }: Ledger, own: SentCommand, call: TaskToolCall) => {
  const missed = commands.filter(
    ({ id, item_id, state }) => item_id === own.item_id && state === 'timed_out' && id !== own.id,
  );
  for (const { id, report: name } of missed.reverse()) {
    const read = name === null ? null : await readReport(await bridge.read('reportsProcessed', name), id);
    if (!read?.ok) continue;
    const { status, body } = read.report;
    const texts = messages(call.language).codingAgent;
    return `\n\n${texts.lateReport(`task-${id}`, status, body.slice(0, LATE_CHARS_MAX))}`;
  }
  return '';
};

/** Creates the `coding_agent` tool over a folder (SPEC 10). It reads and writes nothing outside that folder. */
export const createCodingAgent = (options: CodingAgentParts): CodingAgent => {
  const { bridgeDir, timeoutMs, kept, service, log, now = Date.now, timeouts = TIMEOUTS } = options;
  const bridge = openBridge(bridgeDir);
  const ledgers = openLedgers(bridge, log);
  const inTurn = queueByKey();
  const parts: BridgeParts = { bridge, ledgers, inTurn, now, log, service, timeouts };
  const collect = createCollector(parts);

  const entryOf = async (id: string, { task_id }: TaskToolCall): Promise<{ ledger: Ledger; entry: SentCommand }> => {
    const ledger = await ledgers.find(task_id);
    const entry = ledger?.commands.find((command) => command.id === id);
    if (ledger === null || entry === undefined) throw new Error('the ledger of this task was removed');
    return { ledger, entry };
  };

  /** Waits for the report on a command; false where it did not come in time. */
  const awaitReport = async ({ id, state }: SentCommand, call: TaskToolCall): Promise<void> => {
    // A wait that ended before a crash is not started again.
    const deadline = performance.now() + (state === 'timed_out' ? 0 : timeoutMs);
    for (;;) {
      call.signal.throwIfAborted();
      const writing = await collect();
      if ((await entryOf(id, call)).entry.report !== null) return;
      const leftMs = deadline + (writing.has(id) ? timeouts.graceMs : 0) - performance.now();
      if (leftMs <= 0) break;
      await wait(Math.min(timeouts.pollMs, leftMs), undefined, { signal: call.signal }).catch(() => {});
    }
    await inTurn(call.task_id, async () => {
      const { ledger, entry } = await entryOf(id, call);
      if (entry.report !== null) return;
      if (!ledger.ended) await ledgers.save(withCommand(ledger, { ...entry, state: 'timed_out' }));
      await bridge.move(commandName(id), 'commandsPending', 'commandsProcessed');
    });
  };

  const converse = async (input: string, call: TaskToolCall): Promise<ToolResult> => {
    await bridge.prepare();
    // A late report names the session in which this command continues.
    await collect();
    const sent = await sendCommand(parts, input, call);
    await awaitReport(sent, call);
    const { ledger, entry } = await entryOf(sent.id, call);
    const late = await lateReport(parts, ledger, entry, call);
    const { ok, result } =
      entry.report === null
        ? { ok: false, result: messages(call.language).codingAgent.noReport(timeoutMs) }
        : await observationOf(parts, sent.id, entry.report, call);
    return { ok, result: `${result}${late}` };
  };

  /** Works on the folder once a command was ever sent there. Never rejects. */
  const onFolder = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      if (!(await bridge.isInUse())) return;
      await bridge.prepare();
      await work();
    } catch (error) {
      log.warn({ err: error }, 'the bridge to the coding agent could not be searched');
    }
  };

  const taskEnded = (taskId: string): Promise<void> =>
    endCommands(parts, taskId).catch((error: unknown) => {
      log.warn({ err: error, task_id: taskId }, 'the coding agent could not be notified that a task ended');
    });

  const clear = async (hasEnded: Parameters<ToolHooks['recover']>[0]): Promise<void> => {
    for (const ledger of await ledgers.open())
      if ((await hasEnded(ledger.task_id)) ?? ledger.service === service) await taskEnded(ledger.task_id);
    await collect();
    await withdrawEnds(parts);
    await clearEnded(parts, kept);
  };

  const timers: NodeJS.Timeout[] = [];
  return {
    tool: {
      name: 'coding_agent',
      description: help('en').summary,
      usage: help('en').usage,
      help,
      writes: true,
      effect: 'idempotent',
      timeoutMs: timeoutMs + timeouts.graceMs + MARGIN_MS,
      run: async (input, call) => {
        const texts = messages(call.language).codingAgent;
        if (input.trim() === '') return { ok: false, result: texts.missingInstruction };
        try {
          return await converse(input, call);
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
      await onFolder(() => clear(hasEnded));
      if (timers.length > 0) return;
      timers.push(setInterval(() => void onFolder(collect), IDLE_MS).unref());
      timers.push(setInterval(() => void onFolder(() => clear(hasEnded)), CLEAR_MS).unref());
    },
    stop: () => timers.splice(0).forEach(clearInterval),
  };
};
