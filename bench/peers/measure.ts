import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { QUIET } from '../quiet.ts';
import { ANSWER_MARK, type Figures } from './harness.ts';
import type { PeerCard } from './peers.ts';

/** The effect in which the crash measure kills the process, counted from 0. */
const CRASH_AT = 17;

/** Longest measurement, in milliseconds. A longer one is killed, and the report lists its peer as skipped. */
const LONGEST_MS = 120_000;

/** The answer of a measuring process; `process_ms` is from its spawning to its answer. */
export interface Answer {
  versions: string;
  durability: string;
  figures: Figures;
  process_ms: number;
}

type Env = Record<string, string>;

/** Reads a process's output to its end, and notes when the answer arrived. */
const readAnswer = async (output: Readable): Promise<{ line: string | undefined; at: number }> => {
  let out = '';
  let at = 0;
  for await (const chunk of output) {
    out += String(chunk);
    if (at === 0 && out.includes(ANSWER_MARK)) at = performance.now();
  }
  return { line: out.split('\n').find((each) => each.startsWith(ANSWER_MARK)), at };
};

/** Runs one mode of a peer in its own process. Null if it was killed before it answered; throws its failure. */
const run = async (peer: PeerCard, variant: string, mode: string, dir: string, env: Env): Promise<Answer | null> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, `${peer.name}.ts`), variant, mode, dir], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...QUIET, ...env },
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  const [{ line, at }, err] = await Promise.all([readAnswer(child.stdout), text(child.stderr), once(child, 'close')]);
  if (line !== undefined) {
    const answer = JSON.parse(line.slice(ANSWER_MARK.length)) as Omit<Answer, 'process_ms'> | { error: string };
    if ('error' in answer) throw new Error(answer.error);
    return { ...answer, process_ms: at - startedAt };
  }
  if (child.signalCode === 'SIGKILL') return null;
  throw new Error(err.split('\n').find((each) => each.includes('Error')) ?? 'it gave no answer');
};

const answered = (answer: Answer | null, mode: string): Answer => {
  if (answer === null) throw new Error(`the measure "${mode}" was killed`);
  return answer;
};

/**
 * Gives `body` an empty folder below `base`, with the peer's server running if it needs one. The folder stays until
 * `base` is removed: ext4 takes 50 times as long to create a file just after many were removed.
 */
const inFolder = async <T>(
  base: string,
  peer: PeerCard,
  variant: string,
  body: (dir: string, env: Env) => Promise<T>,
): Promise<T> => {
  const dir = mkdtempSync(join(base, `${peer.name}-`));
  const served = join(dir, 'server');
  mkdirSync(served);
  for (const each of [dir, served]) chmodSync(each, 0o755); // A server may run as another user.
  const server = await peer.start?.(served, variant);
  try {
    return await body(dir, server?.env ?? {});
  } finally {
    await server?.stop();
  }
};

/** Measures one mode of a peer in a new process with a new store. */
export const measureOne = (base: string, peer: PeerCard, variant: string, mode: string): Promise<Answer> =>
  inFolder(base, peer, variant, async (dir, env) =>
    answered(await run(peer, variant, mode, join(dir, 'store'), env), mode),
  );

/**
 * A task that waits for the user, answered in a new process: milliseconds with opening the store, and with starting the
 * process.
 */
export const measureResume = (
  base: string,
  peer: PeerCard,
  variant: string,
): Promise<{ ms: number; process_ms: number }> =>
  inFolder(base, peer, variant, async (dir, env) => {
    const store = join(dir, 'store');
    answered(await run(peer, variant, 'suspend', store, env), 'suspend');
    const { figures, process_ms } = answered(await run(peer, variant, 'resume', store, env), 'resume');
    return { ms: figures['ms']!, process_ms };
  });

/**
 * SIGKILL during an effect, then recovery in a new process: the number of effects that ran twice. The best possible is
 * 1.
 */
export const measureCrash = (base: string, peer: PeerCard, variant: string): Promise<number> =>
  inFolder(base, peer, variant, async (dir, env) => {
    const log = join(dir, 'effects.log');
    const store = join(dir, 'store');
    await run(peer, variant, 'crash', store, { ...env, EFFECT_LOG: log, CRASH_AT: String(CRASH_AT) });
    answered(await run(peer, variant, 'recover', store, { ...env, EFFECT_LOG: log }), 'recover');
    const began = readFileSync(log, 'utf8').trim().split('\n');
    return began.length - new Set(began).size;
  });
