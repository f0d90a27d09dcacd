import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
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

const NO_STEPS: ReadonlyMap<string, string> = new Map();

/** The text of each plan item's step by its id, as the newest plan of a history has it, whose `count` entries are folded. */
const stepsOf = ({ fold }: TaskHistory, count: number): ReadonlyMap<string, string> => {
  const plan = fold.value?.viewAt(count - 1)?.plan ?? [];
  return new Map(plan.map(({ id, step }) => [id, step]));
};

/** A history entry by entry, and the chosen entry in full. */
export const Timeline = ({ history, hasService }: { history: TaskHistory; hasService: boolean }) => {
  const filter = useSignal(EVERYTHING);
  const rows = useRows(history.trace, filter);
  useEffect(() => history.needFold(), [history]);
  const count = history.trace.count.value;
  const isFolded = count > 0 && history.fold.value?.folded.value === count;
  const steps = useMemo(() => (isFolded ? stepsOf(history, count) : NO_STEPS), [history, isFolded, count]);
  return (
    <div class={styles.timeline}>
      <TimelineFilters
        filter={filter}
        kinds={[...rows.kinds].sort()}
        items={[...rows.items]}
        steps={steps}
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
