import { Worker } from 'node:worker_threads';
import type { ErrorCode } from '../../../contracts/error-code.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { ReplayResult } from './replay.ts';

/** Memory that a replay may take, in MiB: a trace of 16 MiB takes a third of it. */
const HEAP_MIB_MAX = 512;

/** A worker's findings in a trace. */
export interface WorkerReplay {
  readonly result: ReplayResult;
  /** The ids of the tasks that were folded, for a caller who may replay some of them only. */
  readonly tasks: readonly string[];
}

/** The worker's message: what it found, or why the trace is not readable. */
type Answer = { replayed: WorkerReplay } | { error: { code: ErrorCode; message: string } };

const tooLong = (seconds: number): ServiceError =>
  new ServiceError('INPUT_TOO_LARGE', `The trace takes more than ${seconds} s to replay; send that of a single task`);

/**
 * Replays a trace, one JSON object a line, in a thread of its own, which ends with it. Never takes longer than the deadline, in milliseconds.
 * Throws `TRACE_NOT_READABLE` as `replay` does, and `INPUT_TOO_LARGE` for one that takes too long or too much memory.
 */
export const replayInWorker = (text: string, deadlineMs: number): Promise<WorkerReplay> => {
  const worker = new Worker(new URL('./replay-worker.mjs', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
  });
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReplay>();
  const timer = setTimeout(() => reject(tooLong(deadlineMs / 1_000)), deadlineMs);
  worker.once('message', (answer: Answer) => {
    if ('replayed' in answer) resolve(answer.replayed);
    else reject(new ServiceError(answer.error.code, answer.error.message));
  });
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLong(deadlineMs / 1_000) : error),
  );
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
};
