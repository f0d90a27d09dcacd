import { effect } from '@preact/signals';
import type { TaskFold } from '../fold/task-fold.ts';
import { inSlices } from './slices.ts';
import type { TaskTrace } from './task-trace.ts';

/** The fold's code: the machine, the contracts and their libraries, which nothing that is shown first needs. */
export const loadFoldCode = async () => {
  await import('../fold/zod-without-eval.ts');
  const [{ createTaskFold }, { createTraceFold }] = await Promise.all([
    import('../fold/task-fold.ts'),
    import('../../engine/replay/replay.ts'),
  ]);
  return { createTaskFold, createTraceFold };
};

/** A fold that follows its trace. */
export interface FollowedFold {
  fold: TaskFold;
  /** Folds no more. */
  stop: () => void;
}

/** Folds a trace, and what comes to it later, in slices. `onError` is given what is no entry at all. */
export const followTrace = async (trace: TaskTrace, onError: (error: unknown) => void): Promise<FollowedFold> => {
  const { createTaskFold } = await loadFoldCode();
  const fold = createTaskFold(trace.entries);
  let isStopped = false;
  let isFolding = false;
  const run = async (): Promise<void> => {
    if (isFolding) return;
    isFolding = true;
    try {
      await inSlices(() => !isStopped && fold.foldNext());
    } catch (error) {
      onError(error);
    } finally {
      isFolding = false;
    }
  };
  const unfollow = effect(() => {
    if (trace.count.value > fold.folded.peek()) void run();
  });
  return {
    fold,
    stop: () => {
      isStopped = true;
      unfollow();
    },
  };
};
