import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ErrorCode } from '../../contracts/error-code.ts';
import type { SkillHashes } from '../../contracts/skill.ts';
import { ServiceError } from '../lib/errors.ts';
import type { ReplayResult } from './replay.ts';

/** Memory limit of a replay, in MiB: a trace of 16 MiB takes a third of it. */
const HEAP_MIB_MAX = 512;

const SCRIPT = fileURLToPath(new URL('./replay-process.mjs', import.meta.url));

export interface ProcessReplay {
  readonly result: ReplayResult;
  /** The ids of the folded tasks, for a caller who may only replay some. */
  readonly tasks: readonly string[];
}

type Answer = { replayed: ProcessReplay } | { error: { code: ErrorCode; message: string } };

/**
 * Replays a trace in its own process, within the deadline in milliseconds, and compares its skills with these. Throws `TRACE_NOT_READABLE`, and
 * `INPUT_TOO_LARGE` if it takes too much time or memory.
 */
export const replayInProcess = async (
  trace: Uint8Array,
  deadlineMs: number,
  skills: SkillHashes = {},
): Promise<ProcessReplay> => {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB_MAX}`, SCRIPT, JSON.stringify(skills)], {
    env: {},
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  });
  // One that ends early leaves the rest of the trace unread; its exit says why.
  child.stdin.on('error', () => {}).end(trace);
  const [output, faults, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code === null)
    throw new ServiceError(
      'INPUT_TOO_LARGE',
      `The trace takes more than ${deadlineMs / 1_000} s or ${HEAP_MIB_MAX} MiB to replay; send that of a single task`,
    );
  if (code !== 0) throw new Error(`the process of a replay failed: ${faults}`);
  const answer = JSON.parse(output) as Answer;
  if ('error' in answer) throw new ServiceError(answer.error.code, answer.error.message);
  return answer.replayed;
};
