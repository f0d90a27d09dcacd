import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { databaseSetting } from '../postgres/database-of.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.mjs', import.meta.url));

const foreign =
  /^(TRIPACT_|ANTHROPIC_|OPENAI_|OPENROUTER_|OTEL_|npm_|NO_COLOR$|FORCE_COLOR$|NODE_OPTIONS$|VITEST|npm_)/;

/** The environment of the tests, without the settings of this machine. */
export const bareEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));

/** A folder that is removed after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export interface CliOptions {
  /** Also the folder of `tripact.config.ts`, and where `./data` is created. */
  cwd?: string;
  env?: Record<string, string>;
  /** All of standard input. */
  input?: string;
  /** Options for Node itself. */
  node?: string[];
  /** A file to run in place of `src/main.mjs`. */
  main?: string;
  /** Largest file that the process may write, in blocks of 512 bytes: simulates a full disk. */
  fileBlocksMax?: number;
}

/** A running command, with its output so far. */
export interface RunningCli {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when standard output or error has matching text; rejects if the command ends without. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

/** Starts a command line in its own process, without a terminal. It never outlives the test. */
export const startCli = (words: string[], options: CliOptions = {}): RunningCli => {
  const { cwd = temporaryFolder(), env = {}, input, node = [], main = MAIN, fileBlocksMax } = options;
  const command = [process.execPath, ...node, main, ...words];
  // The signal is ignored, so that such a write fails instead of ending the process.
  const limit = `trap '' XFSZ; ulimit -f ${fileBlocksMax}; exec "$@"`;
  const [program = '', ...given] = fileBlocksMax === undefined ? command : ['sh', '-c', limit, 'sh', ...command];
  const child = spawn(program, given, { cwd, env: { ...bareEnv, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  if (input !== undefined) child.stdin.end(input);
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      said[name] += piece;
      for (const listen of listeners) listen();
    });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }));
  const says = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = pattern.exec(said.stdout) ?? pattern.exec(said.stderr);
        if (found === null) return;
        listeners.delete(check);
        resolve(found);
      };
      listeners.add(check);
      check();
      ended.then(() => reject(new Error(`ended without ${pattern}: ${said.stdout}${said.stderr}`)), reject);
    });
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, says, ended };
};

/** Runs a command line to its end. */
export const cli = (words: string[], options: CliOptions = {}): RunningCli['ended'] =>
  startCli(words, { input: '', ...options }).ended;

/** Starts `tripact serve` with further words on a free port, and resolves when it is ready. */
export const startServe = async (
  options: CliOptions = {},
  words: string[] = [],
): Promise<RunningCli & { url: string }> => {
  const { cwd = temporaryFolder() } = options;
  const database = await databaseSetting(join(cwd, 'data'));
  const serve = startCli(['serve', ...words], {
    ...options,
    cwd,
    env: { TRIPACT_PORT: '0', TRIPACT_MODEL: 'offline', TRIPACT_LOG_LEVEL: 'warn', ...database, ...options.env },
  });
  const [, url = ''] = await serve.says(/address +(http:\S+)[\s\S]*curl/);
  return { ...serve, url };
};
