import { computed, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { selectedSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-props.ts';
import { type TaskHistory, useHistory } from './task-history.ts';

/** A task's view at the entry that is looked at, by folding its trace up to there; null: none is, or the fold is not there yet. */
export const viewAtSelection = (history: TaskHistory): ReadonlySignal<TaskView | null> =>
  computed(() => {
    if (selectedSeq.value === null) return null;
    const fold = history.fold.value;
    const index = history.index.value;
    return fold === null || index < 0 || index >= fold.folded.value ? null : fold.viewAt(index);
  });

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
  return useMemo(() => viewAtSelection(history), [history]);
};
