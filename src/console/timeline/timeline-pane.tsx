import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TaskProps } from '../app/task-props.ts';
import { FoldProgress } from '../history/fold-progress.tsx';
import { type TaskHistory, useHistory } from '../history/task-history.ts';
import { EntryDetail } from './entry-detail.tsx';
import styles from './timeline.module.css';
import { TimelineFilters } from './timeline-filters.tsx';
import { TimelineList } from './timeline-list.tsx';
import type { TimelineFilter } from './timeline-rows.ts';
import { useRows } from './use-rows.ts';

const EVERYTHING: TimelineFilter = { search: '', kind: null, item: null, failedOnly: false };

/** The text of each plan item's step by its id, as the newest plan has it, once all is folded. */
const stepsOf = ({ trace, fold }: TaskHistory): ReadonlyMap<string, string> => {
  const folded = fold.value;
  const count = trace.count.value;
  const plan = folded !== null && count > 0 && folded.folded.value === count ? folded.viewAt(count - 1)?.plan : [];
  return new Map((plan ?? []).map(({ id, step }) => [id, step]));
};

/** A history entry by entry, and the chosen entry in full. */
export const Timeline = ({ history, hasService }: { history: TaskHistory; hasService: boolean }) => {
  const filter = useSignal(EVERYTHING);
  const rows = useRows(history.trace, filter);
  useEffect(() => history.needFold(), [history]);
  return (
    <div class={styles.timeline}>
      <TimelineFilters
        filter={filter}
        kinds={[...rows.kinds].sort()}
        items={[...rows.items]}
        steps={stepsOf(history)}
        shown={rows.shown}
        all={history.trace.count.value}
      />
      <FoldProgress history={history} />
      <div class={styles.parts}>
        <TimelineList history={history} rows={rows} count={rows.rows.length} />
        <EntryDetail history={history} hasService={hasService} />
      </div>
    </div>
  );
};

/** A task's trace, entry by entry. */
export const TimelinePane = (of: TaskProps) => <Timeline history={useHistory(of)} hasService={true} />;
