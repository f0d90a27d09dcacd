import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { messages } from '../../contracts/messages/messages.ts';
import type { Verifier } from './port.ts';

type Check = Parameters<Verifier>[0];

/** Characters kept of a command's output, from its end, where compilers and test runners summarize. */
const OUTPUT_CHARS_MAX = 8_000;

/** Settings of the service, including its keys. A verifier may run code that a model wrote, and its output is shown. */
const OWN_SETTING = /^(TRIPACT|ANTHROPIC|OPENAI|OPENROUTER|OTEL)_/;

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTING.test(name)));

/** Ends a command and everything that it started, which is its process group. */
const endGroup = (leader: number | undefined): void => {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
};

const runCommand = async (argv: string[], { workspace: cwd, language }: Check, signal: AbortSignal) => {
  const texts = messages(language).toolCalls;
  signal.throwIfAborted();
  const [program = '', ...args] = argv;
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // An error event without a listener would end the service.
  child.on('error', () => {});
  let output = '';
  const take = (chunk: string): void => {
    output = (output + chunk).slice(-OUTPUT_CHARS_MAX);
  };
  // Without a free file descriptor there is no child, and so no output.
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream?.setEncoding('utf8').on('data', take);
  // A program that it left running would delay its result, or outlive it.
  child.on('exit', () => endGroup(child.pid));
  try {
    const [code, killed] = await once(child, 'close', { signal });
    const how = killed === null ? texts.exited(code) : texts.killed(killed);
    return { ok: code === 0, output: `$ ${argv.join(' ')}\n${output.toWellFormed()}\n(${how})` };
  } catch (error) {
    if (!signal.aborted) return { ok: false, output: texts.verifierNotRun(argv.join(' '), (error as Error).message) };
    endGroup(child.pid);
    // A process that left its group may hold them open and write forever.
    for (const stream of streams) stream?.destroy();
    throw signal.reason;
  }
};

/**
 * The configured verifiers (SPEC 3), each with a time limit in milliseconds. A command runs without a shell and never
 * gets the service's settings.
 */
export const createVerifiers = (verify: (string[] | Verifier)[], timeoutMs: number): Verifier[] =>
  verify.map((verifier) => async (check) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([check.signal, deadline]);
    try {
      if (Array.isArray(verifier)) return await runCommand(verifier, check, signal);
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return await Promise.race([verifier({ ...check, signal }), late]);
    } catch (error) {
      if (check.signal.aborted) throw error;
      const texts = messages(check.language).toolCalls;
      const why = deadline.aborted ? texts.verifierTimedOut(timeoutMs) : String(error);
      return { ok: false, output: texts.verifierFailed(why) };
    }
  });
