import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { TaskState } from '../../../contracts/task.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { isFeedbackLine } from '../../history/feedback-line.ts';
import { parseNdjson } from '../../history/parse-ndjson.ts';
import { ApiProblem, path, send } from '../api/request.ts';
import { feedOf, type SessionFeed } from '../api/session-feed.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import type { TaskFold } from '../fold/task-fold.ts';
import { late } from '../state/late.ts';
import { selectedSeq } from '../state/selection.ts';
import { callsOf, callsUntil, type TaskCall } from './calls.ts';
import { createPace, inSlices } from './slices.ts';

/** The fold's code: the machine, the contracts and their libraries, which the first view does not need. */
export const loadFoldCode = late(async () => {
  await import('../fold/zod-without-eval.ts');
  const [{ createTaskFold }, { createTraceFold }, { sha256 }] = await Promise.all([
    import('../fold/task-fold.ts'),
    import('../../history/trace.ts'),
    import('../fold/sha256.ts'),
  ]);
  return { createTaskFold, createTraceFold, sha256 };
});

/** A task's trace as far as it is loaded, as chart, plan, timeline and slider show it. */
export interface TaskHistory {
  /** In order; grows in place. */
  readonly entries: readonly TraceEntry[];
  /** The number of entries; changes when some arrive. */
  readonly count: ReadonlySignal<number>;
  /** Their fold, which starts once somebody subscribes to it; null: its code is not loaded yet. */
  readonly fold: ReadonlySignal<TaskFold | null>;
  /** Why they could not be loaded or folded; null: no error. A difference is not an error. */
  readonly error: ReadonlySignal<unknown>;
  /** The position of the selected entry; -1: there is none yet. */
  readonly index: ReadonlySignal<number>;
  /** All calls so far, whatever entry is selected. */
  readonly calls: ReadonlySignal<readonly TaskCall[]>;
  /** The calls as they were at the selected entry: nothing later. */
  readonly shownCalls: ReadonlySignal<readonly TaskCall[]>;
}

const createHistory = (entries: readonly TraceEntry[], fold: TaskHistory['fold']) => {
  const count = signal(entries.length);
  const index = computed(() => {
    void count.value;
    const seq = selectedSeq.value ?? Number.POSITIVE_INFINITY;
    return entries.findLastIndex((entry) => entry.seq <= seq);
  });
  const calls = computed(() => {
    void count.value;
    return callsOf(entries);
  });
  const shownCalls = computed(() => {
    const last = entries[index.value];
    if (selectedSeq.value === null || last === undefined) return calls.value;
    return callsUntil(calls.value, index.value, Date.parse(last.at));
  });
  return { entries, count, index, fold, calls, shownCalls, error: signal<unknown>(null) };
};

/** The history of a trace that is already folded. */
export const foldedHistory = (entries: readonly TraceEntry[], fold: TaskFold): TaskHistory =>
  createHistory(entries, signal(fold));

/** The entries until the selected one; now, all of them. */
export const entriesUntil = ({ entries, count, index }: TaskHistory): readonly TraceEntry[] => {
  void count.value;
  return selectedSeq.value === null ? entries : entries.slice(0, index.value + 1);
};

/** The task as the API showed it right after the selected entry; null: not opened, or not folded so far. */
export const viewOf = ({ fold, index }: TaskHistory): TaskView | null => fold.value?.viewAt(index.value) ?? null;

/** Nothing more of a history will be folded. */
export const isStopped = ({ fold, error }: TaskHistory): boolean =>
  error.value !== null || (fold.value?.difference.value ?? null) !== null;

/** The task's state at the selected entry, taken from the entries; null: not opened yet. */
export const stateOf = ({ entries, index }: TaskHistory): TaskState | null =>
  entries.slice(0, index.value + 1).findLast(({ state }) => state !== null)?.state ?? null;

/** The bytes of a stream, chunk by chunk: Safari cannot iterate streams itself. */
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

/** Wait before a trace that broke off is loaded again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Loads a trace, retrying if the service goes away meanwhile. Throws refusals, unreadable lines, and the reason of
 * `signal`.
 */
const loadTrace = async (task: string, signal: AbortSignal): Promise<TraceEntry[]> => {
  try {
    const { body } = await send(path`/v1/tasks/${task}/trace`, { signal });
    // Lines that have already arrived would otherwise be read without a pause, however many they are.
    const pace = createPace();
    const entries: TraceEntry[] = [];
    for await (const line of parseNdjson(bytesOf(body))) {
      if (!isFeedbackLine(line)) entries.push(line as TraceEntry);
      await pace();
    }
    return entries;
  } catch (error) {
    // A body that breaks off is a TypeError.
    const isLost =
      error instanceof ApiProblem ? error.status === 0 || error.status === 503 : error instanceof TypeError;
    if (signal.aborted || !isLost) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return loadTrace(task, signal);
  }
};

const openHistory = (task: string, feed: SessionFeed, closed: AbortSignal): TaskHistory => {
  const entries: TraceEntry[] = [];
  let folding: Promise<void> | undefined;
  const fold = signal<TaskFold | null>(null, {
    watched: () => {
      folding ??= follow().catch(failed);
    },
  });
  const history = createHistory(entries, fold);
  const failed = (error: unknown): void => {
    if (!closed.aborted) history.error.value = error;
  };
  const add = (more: readonly TraceEntry[]): void => {
    // A stream may repeat loaded entries.
    for (const entry of more) if (entry.seq > (entries.at(-1)?.seq ?? 0)) entries.push(entry);
    history.count.value = entries.length;
  };
  /** Entries that arrived while earlier ones were being loaded; null: those are loaded. */
  let early: TraceEntry[] | null = [];
  const unlisten = feed.listen((messages) => {
    const arrived = messages.flatMap(({ event, data }) => (event === 'trace' && data.task_id === task ? [data] : []));
    if (early === null) add(arrived);
    else early.push(...arrived);
  });
  closed.addEventListener('abort', unlisten);
  loadTrace(task, closed).then((loaded) => {
    add([...loaded, ...(early ?? [])]);
    early = null;
  }, failed);
  const follow = async (): Promise<void> => {
    const { createTaskFold } = await loadFoldCode();
    const made = createTaskFold(entries);
    fold.value = made;
    const unfollow = effect(() => {
      void history.count.value;
      folding = folding?.then(() => inSlices(() => !closed.aborted && made.foldNext())).catch(failed);
    });
    closed.addEventListener('abort', unfollow);
  };
  return history;
};

const current = signal<{ task: string; feed: SessionFeed; history: TaskHistory; closed: AbortController } | null>(null);

/** Returns a task's history, and drops that of another: a page shows one task. */
export const historyOf = ({ session, task }: TaskProps): TaskHistory => {
  const feed = feedOf(session);
  const open = current.peek();
  if (open?.task === task && open.feed === feed) return open.history;
  open?.closed.abort();
  const closed = new AbortController();
  const history = openHistory(task, feed, closed.signal);
  current.value = { task, feed, history, closed };
  return history;
};
