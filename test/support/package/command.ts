import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Only a command that hangs takes so long, in milliseconds: a build on a busy machine takes five minutes. */
const COMMAND_MS_MAX = 900_000;

/** Variables that npm, the tests and this checkout set for their own processes. */
const ours =
  /^(npm_(?!config_)|npm_config_local_prefix$|TRIPACT_|ANTHROPIC_|OPENAI_|OPENROUTER_|VITEST|NODE_(OPTIONS|ENV|PATH|V8_COVERAGE)$|INIT_CWD$|FORCE_COLOR$)/;

/** The environment of a new user's shell, with nothing of this checkout. */
export const plainEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));

/** A command's output, and how it ended. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in a folder as a new user's shell would, with nothing of this checkout in its environment. `path`
 * comes first in PATH.
 */
export const runCommand = async (
  words: readonly string[],
  { cwd, path, env = {} }: { cwd: string; path?: string; env?: Record<string, string> },
): Promise<CommandResult> => {
  const [program = '', ...args] = words;
  const PATH = [...(path === undefined ? [] : [path]), plainEnv.PATH].join(':');
  try {
    const options = { cwd, env: { ...plainEnv, PATH, ...env }, timeout: COMMAND_MS_MAX, maxBuffer: 64 * 1024 * 1024 };
    return { code: 0, ...(await promisify(execFile)(program, args, options)) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
};

/** The same, for a command that must succeed: throws with its output. Returns its standard output. */
export const succeed = async (words: readonly string[], options: Parameters<typeof runCommand>[1]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(words, options);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
};
