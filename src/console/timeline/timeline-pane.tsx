import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TaskProps } from '../app/task-of-session.ts';
import { Check, Choice, Search } from '../design/fields.tsx';
import { FoldProgress } from '../history/fold-progress.tsx';
import { inSlices } from '../history/slices.ts';
import { type TaskHistory, useHistory } from '../history/task-history.ts';
import type { TaskTrace } from '../history/task-trace.ts';
import { eventTitles } from '../text/event-titles.ts';
import { EntryDetail } from './entry-detail.tsx';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { TimelineList } from './timeline-list.tsx';
import { createRows, type TimelineFilter, type TimelineRows } from './timeline-rows.ts';

/** The rows of a trace that a filter leaves, which grow with the trace. Made in slices: a search reads every entry. */
const useRows = (trace: TaskTrace, filter: ReadonlySignal<TimelineFilter>): TimelineRows => {
  const version = useSignal(0);
  const count = trace.count.value;
  const rows = useMemo(() => createRows(trace.entries, filter.value), [trace, filter.value]);
  useEffect(() => {
    let isOver = false;
    void inSlices(() => {
      if (isOver) return false;
      version.value += 1;
      return rows.takeNext();
    });
    return () => {
      isOver = true;
    };
  }, [rows, count]);
  // The component is drawn again as the rows grow.
  void version.value;
  return rows;
};

/** Most plan items that one chooses from, the newest ones: longer lists are slow, and the search finds the others. */
const ITEMS_MAX = 300;

/** A history entry by entry, with a search and filters, and the chosen entry in full. */
export const Timeline = ({ history, hasService }: { history: TaskHistory; hasService: boolean }) => {
  const texts = timelineTexts.value;
  const search = useSignal('');
  const kind = useSignal('');
  const item = useSignal('');
  const failedOnly = useSignal(false);
  const filter = useComputed(() => ({
    search: search.value,
    kind: kind.value || null,
    item: item.value || null,
    failedOnly: failedOnly.value,
  }));
  const rows = useRows(history.trace, filter);
  useEffect(() => history.needFold(), [history]);
  const count = history.trace.count.value;
  const isFolded = count > 0 && history.fold.value?.folded.value === count;
  /** The text of each plan item's step by its id, as the newest plan has it. */
  const steps = useMemo(() => {
    const plan = isFolded ? history.fold.value?.viewAt(count - 1)?.plan : undefined;
    return new Map(plan?.map(({ id, step }) => [id, step]));
  }, [history, isFolded, count]);
  return (
    <div class={`${styles.timeline} fill`}>
      <search class={`${styles.filters} line`}>
        <Search of={search} label={texts.search} />
        <Choice
          of={kind}
          label={texts.kinds}
          any={texts.anyKind}
          choices={[...rows.kinds].sort().map((value) => ({ value, title: `${eventTitles.value[value]} · ${value}` }))}
        />
        <Choice
          of={item}
          label={texts.items}
          any={texts.anyItem}
          choices={[...rows.items]
            .slice(-ITEMS_MAX)
            .map((value) => ({ value, title: [texts.item(value), steps.get(value)].filter(Boolean).join(' · ') }))}
        />
        <Check of={failedOnly}>{texts.failedOnly}</Check>
        <span class="muted" aria-live="polite">
          {texts.shown(rows.shown, count)} <SpentLine spent={rows.spent} />
        </span>
      </search>
      <FoldProgress history={history} />
      <div class={`${styles.parts} fill`}>
        <TimelineList history={history} rows={rows} count={rows.rows.length} />
        <EntryDetail history={history} hasService={hasService} />
      </div>
    </div>
  );
};

/** A task's trace, entry by entry. */
export const TimelinePane = (of: TaskProps) => <Timeline history={useHistory(of)} hasService={true} />;
