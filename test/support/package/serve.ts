import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { plainEnv } from './command.ts';

/** Longest time until a service listens, in milliseconds. */
const START_MS_MAX = 60_000;

/** A command that runs until it is stopped. */
export interface Running {
  /** The awaited output. */
  match: RegExpExecArray;
  stop(): Promise<void>;
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/**
 * Starts a shell command as a new user would, and waits until it prints a match. Throws its output if it ends before,
 * or prints no match in time.
 */
export const startRunning = async (
  command: string,
  pattern: RegExp,
  { cwd, path, env = {} }: { cwd: string; path?: string; env?: Record<string, string> },
): Promise<Running> => {
  const PATH = [...(path === undefined ? [] : [path]), plainEnv.PATH].join(':');
  // In its own process group, so that whatever npm and npx start ends with it.
  const child = spawn('bash', ['-c', command], { cwd, detached: true, env: { ...plainEnv, PATH, ...env } });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid!, 'SIGTERM');
    await ended(child);
  };
  let printed = '';
  const found = new Promise<RegExpExecArray>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${command} ${why}:\n${printed}`));
    const timer = setTimeout(() => fail('did not start in time'), START_MS_MAX);
    const read = (chunk: Buffer): void => {
      printed += chunk;
      const match = pattern.exec(printed);
      if (match === null) return;
      clearTimeout(timer);
      resolve(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
  try {
    return { match: await found, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Starts a service by a shell command; returns the address where it listens. */
export const startServing = async (
  command: string,
  options: { cwd: string; path?: string; env?: Record<string, string> },
): Promise<{ base: string; stop(): Promise<void> }> => {
  const { match, stop } = await startRunning(command, /http:\/\/127\.0\.0\.1:\d+/, options);
  return { base: match[0], stop };
};
