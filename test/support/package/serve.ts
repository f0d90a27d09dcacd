import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { plainEnv } from './command.ts';

/** Longest that a service may take until it listens, in milliseconds. */
const START_MS_MAX = 60_000;

/** A command that runs until it is stopped. */
export interface Running {
  /** The output that was waited for. */
  match: RegExpExecArray;
  stop(): Promise<void>;
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** Starts a shell command as a stranger would and waits until it prints what is looked for; throws what it printed where it ends before, or prints nothing such in time. */
export const startRunning = async (
  command: string,
  pattern: RegExp,
  { cwd, path, env = {} }: { cwd: string; path?: string; env?: Record<string, string> },
): Promise<Running> => {
  const PATH = [...(path === undefined ? [] : [path]), plainEnv.PATH].join(':');
  // In a process group of its own, so that what npm and npx start ends with them.
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

/** Starts a service by a shell command; gives where it listens. */
export const startServing = async (
  command: string,
  options: { cwd: string; path?: string; env?: Record<string, string> },
): Promise<{ base: string; stop(): Promise<void> }> => {
  const { match, stop } = await startRunning(command, /http:\/\/127\.0\.0\.1:\d+/, options);
  return { base: match[0], stop };
};
