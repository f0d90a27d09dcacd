import { selectedSeq, selectedTab, selectSeq, selectTab } from '../app/selection.ts';
import { openFork } from '../app/task-dialog.ts';
import type { TaskProps } from '../app/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { useHistory } from '../history/task-history.ts';
import { locale } from '../text/numbers.ts';
import styles from './scrubber.module.css';
import { scrubberTexts } from './texts.ts';

/** In place of the composer while an earlier moment is looked at: its time, and what leads on from it. */
export const PastControls = ({ session, task }: TaskProps) => {
  const texts = scrubberTexts.value;
  const { trace, index } = useHistory({ session, task });
  const entry = trace.count.value === 0 ? undefined : trace.entries[index.value];
  const fork = (seq: number): void => {
    // The dialog is the task's, which a small screen may not show.
    if (selectedTab.peek() === null) selectTab('plan');
    openFork(task, seq, '');
  };
  return (
    <div class={styles.past} role="status">
      <span>
        {entry !== undefined &&
          texts.lookedAt(
            new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(
              Date.parse(entry.at),
            ),
          )}
      </span>
      {entry !== undefined && selectedSeq.value !== null && (
        <Button onClick={() => fork(entry.seq)}>{texts.forkHere}</Button>
      )}
      <Button kind="primary" onClick={() => selectSeq(null)}>
        {texts.toNow}
      </Button>
    </div>
  );
};
