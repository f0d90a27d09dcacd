import { setTimeout as wait } from 'node:timers/promises';
import type { ToolResult } from '../../../contracts/task.ts';
import { cutText, type Language } from '../../../contracts/text.ts';
import { toolTexts } from '../command-line.ts';
import type { OutsideTool, TaskToolCall, ToolHooks } from '../port.ts';
import type { Executor } from '../registry.ts';
import { type CodingAgentOptions, openBridge, TIMEOUTS } from './bridge.ts';
import { commandId, reportName } from './command-file.ts';
import { codingAgentMessages } from './messages.ts';

/** Time for the tool beyond its waiting, in milliseconds: a few files on a slow disk. */
const MARGIN_MS = 20_000;
/** Interval for clean-up while no call waits, in milliseconds: late reports, tasks that are gone, old files. */
const CLEAR_MS = 10 * 60_000;
/** Longest excerpt of a late report in the next observation, in characters: that call's own report matters more. */
const LATE_CHARS_MAX = 2_000;

/** The built-in executor `coding_agent` (SPEC 5): its steps have the tag `[CODE]`. */
export const codingAgentExecutor: Executor = {
  name: 'coding_agent',
  description: 'Steps for a coding agent that works on files of its own, tag [CODE].',
  tools: ['coding_agent'],
  prompt:
    'You direct a coding agent. One call sends it one command and brings back one report. It knows nothing but what you ' +
    'write: say what to do, in which files, and how to tell that it is done. After a report decide: the step is done; call ' +
    'again with what is to be put right (the agent goes on in the same session); or ask the user.',
};

/**
 * Creates the `coding_agent` tool on a folder, with hooks that end tasks which are gone and put late reports aside
 * (SPEC 10).
 */
export const createCodingAgent = (options: CodingAgentOptions): ToolHooks & { tool: OutsideTool } => {
  const { timeoutMs, log, timeouts = TIMEOUTS } = options;
  const bridge = openBridge(options);

  /** The report on a command as an observation; null: none yet. */
  const observationOf = (id: string, language: Language): ToolResult | null => {
    const report = bridge.reportOn(id);
    if (report === null) return null;
    const { status, body } = report;
    const { problem, unreadableReport } = codingAgentMessages(language);
    if (status === 'no_status' || status === 'other_task')
      return { ok: false, result: unreadableReport(problem[status], `reports/processed/${reportName(id)}`, body) };
    return { ok: status === 'SUCCESS', result: `${status}\n\n${body}`.trim() };
  };

  /** Sends a command once, and waits for its report until its time is over. */
  const converse = async (input: string, { signal, ...call }: TaskToolCall): Promise<ToolResult> => {
    const { task_id, language } = call;
    const texts = codingAgentMessages(language);
    const deadline = performance.now() + timeoutMs;
    const id = commandId(task_id, call.effect_id);
    bridge.prepare();
    for (let isSent = false; ; isSent = true) {
      // Also before sending: a late report names the session in which this command continues.
      bridge.collect();
      signal.throwIfAborted();
      if (!isSent) bridge.send(id, input, call);
      const commands = bridge.commandsOf(task_id);
      const command = commands.find((sent) => sent.id === id);
      if (command === undefined) throw new Error('the ledger of this task was removed');
      const reported = observationOf(id, language);
      const leftMs = deadline - performance.now();
      // A wait that was over before a crash does not start again.
      if (reported === null && !command.timed_out && leftMs > 0) {
        await wait(Math.min(timeouts.pollMs, leftMs), undefined, { signal }).catch(() => {});
        continue;
      }
      if (reported === null) bridge.giveUp(command, call);
      const { ok, result } = reported ?? { ok: false, result: texts.noReport(timeoutMs) };
      const missed = commands.filter((sent) => sent.timed_out && sent.id !== id && sent.item_id === command.item_id);
      const late = missed.findLast((sent) => bridge.reportOn(sent.id) !== null);
      if (late === undefined) return { ok, result };
      const excerpt = cutText(observationOf(late.id, language)?.result ?? '', LATE_CHARS_MAX);
      return { ok, result: `${result}\n\n${texts.lateReport(`task-${late.id}`, excerpt)}` };
    }
  };

  const logged = (work: () => void | Promise<void>): Promise<void> =>
    (async () => work())().catch((err: unknown) => log.warn({ err }, 'the bridge to the coding agent cannot be used'));

  let timer: NodeJS.Timeout | undefined;
  return {
    tool: {
      name: 'coding_agent',
      ...toolTexts(codingAgentMessages),
      writes: true,
      // It reads whatever is in its folder and on the web.
      source: 'untrusted',
      effect: 'idempotent',
      timeoutMs: timeoutMs + MARGIN_MS,
      run: async (input, call) => {
        const texts = codingAgentMessages(call.language);
        if (input.trim() === '') return { ok: false, result: texts.missingInstruction };
        try {
          return await converse(input, call);
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (call.signal.aborted || code === undefined) throw error;
          log.error({ err: error, task_id: call.task_id }, 'the bridge to the coding agent failed');
          return { ok: false, result: texts.bridgeFailed(code) };
        }
      },
    },
    taskEnded: (taskId) => logged(() => bridge.end(taskId)),
    recover: async (hasEnded) => {
      timer = setInterval(() => void logged(() => bridge.clear(hasEnded)), CLEAR_MS).unref();
      await logged(() => bridge.clear(hasEnded));
    },
    stop: () => clearInterval(timer),
  };
};
