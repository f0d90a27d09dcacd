import { type ReadonlySignal, signal } from '@preact/signals';
import type { TaskState } from '../../../contracts/task.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { parseNdjson } from '../../engine/replay/parse-ndjson.ts';
import { ApiProblem, send } from '../api/request.ts';
import { feedOf } from '../api/session-feed.ts';
import { createPace } from './slices.ts';

/** The bytes of a stream, piece by piece: Safari does not iterate streams itself. */
export async function* bytesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return;
      yield chunk.value;
    }
  } finally {
    await reader?.cancel();
  }
}

/** A task's trace as far as it is here; it only ever grows. */
export interface TaskTrace {
  /** In order; grows in place. */
  readonly entries: readonly TraceEntry[];
  /** How many entries there are: changes whenever some arrive. */
  readonly count: ReadonlySignal<number>;
  /** All that there was when it was asked for has arrived. */
  readonly isWhole: ReadonlySignal<boolean>;
  /** Why it could not be loaded; null: nothing went wrong. */
  readonly error: ReadonlySignal<unknown>;
}

/** A trace that is being filled. */
export interface GrowingTrace extends TaskTrace {
  /** Takes entries that come behind those that are there; others are passed over, for a stream may repeat what a file had. */
  add(entries: readonly TraceEntry[]): void;
  end(): void;
  fail(error: unknown): void;
}

/** A trace without an entry yet. */
export const createTaskTrace = (): GrowingTrace => {
  const entries: TraceEntry[] = [];
  const count = signal(0);
  const isWhole = signal(false);
  const error = signal<unknown>(null);
  return {
    ...{ entries, count, isWhole, error },
    add: (more) => {
      for (const entry of more) if (entry.seq > (entries.at(-1)?.seq ?? 0)) entries.push(entry);
      count.value = entries.length;
    },
    end: () => {
      isWhole.value = true;
    },
    fail: (reason) => {
      error.value = reason;
    },
  };
};

/** The place of the entry with this seq, or of the last before it; -1 where there is none. Null stands for the last of all. */
export const indexOfSeq = (entries: readonly TraceEntry[], seq: number | null): number => {
  if (seq === null) return entries.length - 1;
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** The task's state after an entry, as the entries say it; null: it is not opened yet. */
export const stateAt = (entries: readonly TraceEntry[], index: number): TaskState | null => {
  for (let i = index; i >= 0; i--) {
    const state = entries[i]?.state ?? null;
    if (state !== null) return state;
  }
  return null;
};

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
  let early: TraceEntry[] | null = [];
  const stop = feedOf(session).listen((messages) => {
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
    },
  };
};
