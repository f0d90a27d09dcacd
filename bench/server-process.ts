import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The service's entry file; `BENCH_MAIN` names another build's, to compare the two with one program. */
const MAIN = process.env['BENCH_MAIN'] ?? join(import.meta.dirname, '..', 'src', 'main.mjs');

/** Pause between two attempts to reach a server that starts, in milliseconds. */
const RETRY_MS = 2;

/** A port of 127.0.0.1 that is free. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Starts `tripact serve` on a data folder, with nothing of the caller's environment but the path; `settings` are variables, `flags` Node's. */
export const serve = (
  dir: string,
  port: number,
  settings: Record<string, string>,
  flags: readonly string[] = [],
): ChildProcess =>
  spawn(process.execPath, [...flags, ...(process.env['BENCH_NODE_FLAGS']?.split(' ') ?? []), MAIN, 'serve'], {
    env: { PATH: process.env['PATH'], TRIPACT_DATA_DIR: dir, TRIPACT_PORT: String(port), ...settings },
    stdio: 'ignore',
  });

/**
 * Starts `tripact serve` in a folder, whose configuration it reads, and keeps its state below it. It writes to `file` each block of its event loop that is worth
 * naming, in milliseconds of processor time.
 */
export const serveWatched = (
  dir: string,
  port: number,
  file: string,
  settings: Record<string, string> = {},
): ChildProcess => {
  const watch = join(import.meta.dirname, 'followers', 'watch-loop.ts');
  const data = { TRIPACT_DATA_DIR: join(dir, 'data'), TRIPACT_PORT: String(port), EVENT_LOOP_FILE: file };
  return spawn(process.execPath, ['--import', watch, MAIN, 'serve'], {
    cwd: dir,
    env: { PATH: process.env['PATH'], ...data, ...settings },
    stdio: 'ignore',
  });
};

/** Stops a process and waits for its end. */
export const stop = async (process: ChildProcess): Promise<void> => {
  process.kill('SIGTERM');
  if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
};

/** Longest wait for a server to listen, in milliseconds: one that has not started by then has failed. */
const START_MS_MAX = 30_000;

/** Repeats a request until the server that it goes to listens; rejects after `START_MS_MAX`. */
export const whenListening = async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
  const began = performance.now();
  for (;;)
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof TypeError) || performance.now() - began > START_MS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
};

/** Milliseconds of one tick of the kernel's CPU accounting (USER_HZ is 100 on Linux). */
const TICK_MS = 10;

/** User and system time of a process so far, in milliseconds. */
export const cpuMs = ({ pid }: ChildProcess): number => {
  // The command's name comes in parentheses and may hold spaces; utime and stime are fields 14 and 15.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};
