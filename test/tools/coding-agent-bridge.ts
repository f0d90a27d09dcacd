import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import type { CodingAgentOptions } from '../../src/tools/coding-agent/bridge.ts';
import { createCodingAgent } from '../../src/tools/coding-agent/coding-agent.ts';
import { commandId } from '../../src/tools/coding-agent/command-file.ts';
import type { TaskToolCall } from '../../src/tools/port.ts';
import { taskCall } from '../support/tools/task-call.ts';

/** Waits that suit a test: what is to be waited for comes at once, what must never come is never waited for. */
export const quick = { pollMs: 10, settleMs: 20, graceMs: 60 };

/** A session that an agent of a test names. */
export const SESSION = '5f0c2b64-8c1e-4d0a-9b57-3a1de2c4f701';

/** The call of task `a`, item `1`, effect `n`. */
export const callOf = (n: number, around: Partial<TaskToolCall> = {}): TaskToolCall => {
  const task_id = around.task_id ?? 'task_a';
  const about = { executor: 'coding_agent', expected: 'a page that greets' };
  return taskCall({ task_id, effect_id: `${task_id}.${n}`, ...about, ...around });
};

/** The id of the command that effect `n` of a task sends. */
export const idOf = (n: number, task = 'a'): string => commandId(`task_${task}`, `task_${task}.${n}`);

/** The id of the command that ends a task's agent session. */
export const endId = (taskId: string): string => commandId(taskId);
export const END = endId('task_a');

const PENDING = 'commands/pending';

/** A service with other settings. */
type Another = Partial<Pick<CodingAgentOptions, 'service' | 'now' | 'days'>>;

/** A bridge folder of its own with the tool on it; removed with the test. */
export const openBridgeFolder = (timeoutMs = 60_000) => {
  const bridgeDir = realpathSync(mkdtempSync(join(tmpdir(), 'tripact-bridge-')));
  onTestFinished(() => rmSync(bridgeDir, { recursive: true, force: true }));
  const path = (name: string): string => join(bridgeDir, name);
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  /** A service that starts on the folder; several of them are one after a crash. */
  const start = (
    waitMs = timeoutMs,
    { service = 'tested', now = () => Date.UTC(2026, 10, 21), days = null }: Another = {},
  ) => {
    const agent = createCodingAgent({ bridgeDir, timeoutMs: waitMs, service, log, now, timeouts: quick, days });
    onTestFinished(() => agent.stop());
    return agent;
  };
  const files = (folder: string): string[] => readdirSync(path(folder)).sort();
  return {
    bridgeDir,
    path,
    start,
    agent: start(),
    /** All that was logged. */
    logged: (): string => lines.join(''),
    files,
    read: (name: string): string => readFileSync(path(name), 'utf8'),
    /** Waits until the command of `idOf(n, task)` is to be seen. */
    sent: (n: number, task?: string) => expect.poll(() => files(PENDING)).toContain(`task-${idOf(n, task)}.md`),
    /** Writes the report on that command. */
    report: (n: number, text: string, task?: string): void =>
      writeFileSync(path(`reports/pending/report-task-${idOf(n, task)}.md`), text),
  };
};

/** A report as an agent writes it. */
export const reportText = (body: string, status = 'SUCCESS', session = SESSION): string =>
  `---\nstatus: ${status}\nsession_id: ${session}\n---\n\n${body}\n`;

/** A Node program of the repository that was started, once it has written its first line; killed when the test ends. */
export const startProgram = async (...args: string[]): Promise<ChildProcess> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${args[0]} ended before it said anything`)));
  });
  return child;
};

/** The reference agent at work on a bridge. */
export const startReferenceAgent = (bridgeDir: string): Promise<ChildProcess> =>
  startProgram('examples/coding-agent.ts', bridgeDir);
