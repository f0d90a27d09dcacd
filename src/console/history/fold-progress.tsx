import { Failure } from '../design/notice.tsx';
import { DifferenceView } from './difference-view.tsx';
import styles from './fold-progress.module.css';
import type { TaskHistory } from './task-history.ts';
import { historyTexts } from './texts.ts';

/** How far a history is folded while it is not whole yet, and where it stops being what the machine does. */
export const FoldProgress = ({ history: { trace, fold, foldError } }: { history: TaskHistory }) => {
  const texts = historyTexts.value;
  const error = trace.error.value ?? foldError.value;
  if (error !== null) return <Failure title={texts.failed} error={error} />;
  const difference = fold.value?.difference.value ?? null;
  if (difference !== null) return <DifferenceView difference={difference} />;
  const [done, all] = [fold.value?.folded.value ?? 0, trace.count.value];
  return done < all ? (
    <div class={styles.progress}>
      <progress value={done} max={all} aria-label={texts.folding(done, all)} />
    </div>
  ) : null;
};
