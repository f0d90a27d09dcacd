import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { selectedSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-props.ts';
import type { TaskFold } from '../fold/task-fold.ts';
import { followTrace } from './load-fold.ts';
import { openTaskTrace } from './load-task-trace.ts';
import { indexOfSeq, type TaskTrace } from './task-trace.ts';

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

const createHistory = (trace: TaskTrace): TaskHistory & { close(): void } => {
  const fold = signal<TaskFold | null>(null);
  const foldError = signal<unknown>(null);
  let isNeeded = false;
  let isClosed = false;
  let stop = (): void => {};
  const fail = (error: unknown): void => {
    foldError.value = error;
  };
  return {
    ...{ trace, fold, foldError },
    needFold: () => {
      if (isNeeded) return;
      isNeeded = true;
      followTrace(trace, fail).then((followed) => {
        stop = followed.stop;
        if (isClosed) stop();
        else fold.value = followed.fold;
      }, fail);
    },
    index: indexIn(trace),
    close: () => {
      isClosed = true;
      stop();
    },
  };
};

const open = new Map<string, SharedHistory>();

const openHistory = ({ session, task }: TaskProps): SharedHistory => {
  const { trace, close } = openTaskTrace(session, task);
  const history = createHistory(trace);
  return {
    ...history,
    users: 0,
    close: () => {
      history.close();
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
