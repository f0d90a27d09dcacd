import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/http/free-port.ts';

/** The service's entry file. `BENCH_MAIN` names another build's, to compare two builds with one program. */
const MAIN = process.env['BENCH_MAIN'] ?? join(import.meta.dirname, '..', 'src', 'main.mjs');

/** Pause between two attempts to reach a starting server, in milliseconds. */
const RETRY_MS = 2;

/** Longest wait for a server to be ready, in milliseconds. After that it has failed. */
const START_MS_MAX = 120_000;

/** Milliseconds of one tick of the kernel's CPU accounting (USER_HZ is 100 on Linux). */
const TICK_MS = 10;

/** The service on its own port. */
export interface Served {
  process: ChildProcess;
  url: string;
  port: number;
}

/** Flags for Node, and the folder in which the service looks for its configuration file. */
interface ServeOptions {
  flags?: readonly string[];
  cwd?: string;
}

/** The processes of a measure. */
export interface Processes {
  /** Starts one by its file below `bench/`. */
  start(script: string, ...args: string[]): ChildProcess;
  /**
   * Starts the model's server: the delay of its answers, the spread of that, and the pieces of a closing answer; 0: one
   * piece.
   */
  startModel(settings?: {
    ms?: number;
    spread?: number;
    pieces?: number;
  }): Promise<{ model: ChildProcess; settings: Settings }>;
  /**
   * Starts `tripact serve` on a data folder without waiting for it, with only the path of the caller's environment.
   * Settings may depend on its port.
   */
  serve(dir: string, settings: Settings | ((port: number) => Settings), options?: ServeOptions): Promise<Served>;
  stop(process: ChildProcess): Promise<void>;
}

/** Variables of the service. */
type Settings = Record<string, string>;

const stop = async (process: ChildProcess): Promise<void> => {
  process.kill('SIGTERM');
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
};

/** Takes a measure, and stops all processes that it started. */
export const withProcesses = async <Result>(measure: (processes: Processes) => Promise<Result>): Promise<Result> => {
  const children: ChildProcess[] = [];
  const kept = (child: ChildProcess): ChildProcess => {
    children.push(child);
    return child;
  };
  const start = (script: string, ...args: string[]): ChildProcess =>
    kept(fork(join(import.meta.dirname, script), args));
  try {
    return await measure({
      start,
      startModel: async ({ ms = 1_000, spread = 0, pieces = 0 } = {}) => {
        const model = start('whole-service/model-server.ts', String(ms), String(spread), String(pieces));
        const baseURL = `http://127.0.0.1:${await nextMessage<number>(model)}`;
        const settings = { TRIPACT_MODEL: 'anthropic:bench', ANTHROPIC_BASE_URL: baseURL, ANTHROPIC_API_KEY: 'bench' };
        return { model, settings };
      },
      serve: async (dir, settings, { flags = [], cwd } = {}) => {
        const port = await freePort();
        const node = [...flags, ...(process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [])];
        const own = typeof settings === 'function' ? settings(port) : settings;
        const env = { PATH: process.env['PATH'], TRIPACT_DATA_DIR: dir, TRIPACT_PORT: String(port), ...own };
        const child = spawn(process.execPath, [...node, MAIN, 'serve'], { env, cwd, stdio: 'ignore' });
        return { process: kept(child), url: `http://127.0.0.1:${port}`, port };
      },
      stop,
    });
  } finally {
    await Promise.all(children.map(stop));
  }
};

/** Resolves once the service reports that it is ready. */
export const whenReady = async ({ url }: Served): Promise<void> => {
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    await response?.arrayBuffer();
    return response?.ok ?? false;
  };
  for (const began = performance.now(); !(await isReady()); await sleep(RETRY_MS))
    if (performance.now() - began > START_MS_MAX) throw new Error('the service is not ready');
};

/** The next message of a process; rejects if it ends instead. */
export const nextMessage = async <Message>(child: ChildProcess): Promise<Message> => {
  const ended = new AbortController();
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: ended.signal }),
      once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error(`${child.spawnargs.join(' ')} ended early`);
      }),
    ]);
    return message as Message;
  } finally {
    ended.abort();
  }
};

/** Sends a process a message, and returns its answer. */
export const ask = <Message>(child: ChildProcess, message: object | string = 'go'): Promise<Message> => {
  const answer = nextMessage<Message>(child);
  child.send(message);
  return answer;
};

/** Processor time in two neighbouring fields of `/proc/<pid>/stat`, in milliseconds. */
const ticksOf = ({ pid }: Pick<ChildProcess, 'pid'>, field: number): number => {
  // The command's name, field 2, is in parentheses and may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[field - 3]) + Number(fields[field - 2])) * TICK_MS;
};

/** User and system time of a process so far, in milliseconds. */
export const cpuMs = (process: Pick<ChildProcess, 'pid'>): number => ticksOf(process, 14);

/** User and system time of a process's children that have ended, in milliseconds. */
export const endedChildrenMs = (process: Pick<ChildProcess, 'pid'>): number => ticksOf(process, 16);
