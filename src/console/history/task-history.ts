import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { selectedSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-of-session.ts';
import type { TaskFold } from '../fold/task-fold.ts';
import { inSlices } from './slices.ts';
import { indexOfSeq, openTaskTrace, type TaskTrace } from './task-trace.ts';

/** The fold's code: the machine, the contracts and their libraries, which nothing that is shown first needs. */
export const loadFoldCode = async () => {
  await import('../fold/zod-without-eval.ts');
  const [{ createTaskFold }, { createTraceFold }] = await Promise.all([
    import('../fold/task-fold.ts'),
    import('../../engine/replay/replay.ts'),
  ]);
  return { createTaskFold, createTraceFold };
};

/**
 * The task as the API would have shown it right after the entry in `selectedSeq`. Null while the newest is looked at, and until the history is
 * folded up to there. No fold is loaded before an entry is chosen.
 */
export const useTaskAtSelection = (of: TaskProps): ReadonlySignal<TaskView | null> => {
  const history = useHistory(of);
  const isChosen = selectedSeq.value !== null;
  useEffect(() => {
    if (isChosen) history.needFold();
  }, [history, isChosen]);
  return useMemo(() => {
    const { fold, index } = history;
    return computed(() => {
      const isFolded = index.value >= 0 && index.value < (fold.value?.folded.value ?? 0);
      return selectedSeq.value !== null && isFolded ? (fold.value?.viewAt(index.value) ?? null) : null;
    });
  }, [history]);
};

/** A task's history as chart, timeline and scrubber show it. */
export interface TaskHistory {
  trace: TaskTrace;
  /** The fold of its trace; null: not asked for yet, or its code is not here yet. */
  fold: ReadonlySignal<TaskFold | null>;
  /** Why it can't be folded; null: nothing went wrong. A difference is no error. */
  foldError: ReadonlySignal<unknown>;
  /** Has the trace folded from now on. */
  needFold(): void;
  /** The place of the entry that is looked at; -1: there is none yet. */
  index: ReadonlySignal<number>;
}

interface SharedHistory extends TaskHistory {
  users: number;
  close(): void;
}

const indexIn = (trace: TaskTrace): TaskHistory['index'] =>
  computed(() => (trace.count.value === 0 ? -1 : indexOfSeq(trace.entries, selectedSeq.value)));

/** The history of a trace that is folded already. */
export const foldedHistory = (trace: TaskTrace, fold: TaskFold): TaskHistory => ({
  trace,
  fold: signal(fold),
  foldError: signal(null),
  needFold: () => {},
  index: indexIn(trace),
});

const open = new Map<string, SharedHistory>();

const openHistory = ({ session, task }: TaskProps): SharedHistory => {
  const { trace, close } = openTaskTrace(session, task);
  const fold = signal<TaskFold | null>(null);
  const foldError = signal<unknown>(null);
  let isNeeded = false;
  let isFolding = false;
  let isClosed = false;
  let unfollow = (): void => {};
  const run = async (by: TaskFold): Promise<void> => {
    if (isFolding) return;
    isFolding = true;
    try {
      // Entries that come as the last slice ends are folded, too; none is behind a difference.
      while (!isClosed && by.difference.peek() === null && trace.count.peek() > by.folded.peek())
        await inSlices(() => !isClosed && by.foldNext());
    } catch (error) {
      foldError.value = error;
    } finally {
      isFolding = false;
    }
  };
  const follow = async (): Promise<void> => {
    const { createTaskFold } = await loadFoldCode();
    if (isClosed) return;
    const by = createTaskFold(trace.entries);
    fold.value = by;
    unfollow = effect(() => {
      if (trace.count.value > by.folded.peek()) void run(by);
    });
  };
  return {
    ...{ trace, fold, foldError, users: 0, index: indexIn(trace) },
    needFold: () => {
      if (isNeeded) return;
      isNeeded = true;
      follow().catch((error: unknown) => {
        foldError.value = error;
      });
    },
    close: () => {
      isClosed = true;
      unfollow();
      close();
    },
  };
};

/** A task's history, loaded for the first that shows it and shared by all that do. */
export const useHistory = ({ session, task }: TaskProps): TaskHistory => {
  const history = useMemo(() => {
    const shared = open.get(task) ?? openHistory({ session, task });
    open.set(task, shared);
    return shared;
  }, [session, task]);
  useEffect(() => {
    open.set(task, history);
    history.users += 1;
    return () => {
      history.users -= 1;
      if (history.users > 0) return;
      history.close();
      open.delete(task);
    };
  }, [history]);
  return history;
};
