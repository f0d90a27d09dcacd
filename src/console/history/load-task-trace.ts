import type { TraceEntry } from '../../../contracts/trace.ts';
import { parseNdjson } from '../../engine/replay/parse-ndjson.ts';
import { ApiProblem, send } from '../api/request.ts';
import { takeFeed } from '../api/session-feed.ts';
import { createPace } from './slices.ts';
import { bytesOf, createTaskTrace, type GrowingTrace, type TaskTrace } from './task-trace.ts';

/** Entries that are taken at once while a trace loads: what shows them is drawn anew for each such batch. */
const BATCH = 500;

const load = async (trace: GrowingTrace, task: string, signal: AbortSignal): Promise<void> => {
  const response = await send(`/v1/tasks/${encodeURIComponent(task)}/trace`, { signal });
  // Lines that have arrived would be read without a pause otherwise, however many they are.
  const pace = createPace();
  let batch: TraceEntry[] = [];
  for await (const line of parseNdjson(bytesOf(response.body))) {
    batch.push(line as TraceEntry);
    await pace();
    if (batch.length < BATCH) continue;
    trace.add(batch);
    batch = [];
  }
  trace.add(batch);
};

/** Waits before a trace that broke off is loaded again, in milliseconds. */
const RETRY_MS = 1_000;

/** Loads a trace, again where the service went away meanwhile. Throws what it refused or can't be read, and the reason of `signal`. */
const loadWhole = async (trace: GrowingTrace, task: string, signal: AbortSignal): Promise<void> => {
  for (;;) {
    try {
      return await load(trace, task, signal);
    } catch (error) {
      // A body that breaks off is a TypeError.
      const isLost =
        error instanceof ApiProblem ? error.status === 0 || error.status === 503 : error instanceof TypeError;
      if (signal.aborted || !isLost) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
};

/** Loads a task's trace and follows it. What arrives while it loads is kept back until it is behind what was loaded. */
export const openTaskTrace = (session: string, task: string): { trace: TaskTrace; close: () => void } => {
  const trace = createTaskTrace();
  const closed = new AbortController();
  const { feed, release } = takeFeed(session);
  let early: TraceEntry[] | null = [];
  const stop = feed.listen((messages) => {
    const entries = messages.flatMap(({ event, data }) => (event === 'trace' && data.task_id === task ? [data] : []));
    if (early === null) trace.add(entries);
    else early.push(...entries);
  });
  loadWhole(trace, task, closed.signal).then(
    () => {
      trace.add(early ?? []);
      early = null;
      trace.end();
    },
    (error: unknown) => {
      if (!closed.signal.aborted) trace.fail(error);
    },
  );
  return {
    trace,
    close: () => {
      closed.abort();
      stop();
      release();
    },
  };
};
