import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TaskProps } from '../api/task-of-session.ts';
import { Check, Choice, Search } from '../design/fields.tsx';
import { FoldProgress } from '../history/fold-progress.tsx';
import { historyOf, type TaskHistory } from '../history/task-history.ts';
import { eventTitles } from '../text/event-titles.ts';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { TimelineList } from './timeline-list.tsx';
import { timelineRows } from './timeline-rows.ts';

/** Most plan items to choose from, the newest ones: longer lists are slow, and the search finds the others. */
const ITEMS_MAX = 300;

/** A history entry by entry, with a search and filters. The inspector shows the chosen entry. */
export const Timeline = ({ history }: { history: TaskHistory }) => {
  const texts = timelineTexts.value;
  const [search, kind, item] = [useSignal(''), useSignal(''), useSignal('')];
  const failedOnly = useSignal(false);
  const filter = { search: search.value, kind: kind.value, item: item.value, failedOnly: failedOnly.value };
  const count = history.count.value;
  const { rows, longest, shown, spent, kinds, items } = useMemo(
    () => timelineRows(history.entries, filter),
    [history, count, ...Object.values(filter)],
  );
  const isFolded = history.fold.value?.folded.value === count;
  /** The text of each plan item's step by its id, from the newest plan. */
  const steps = useMemo(() => {
    const plan = isFolded ? history.fold.value?.viewAt(count - 1)?.plan : undefined;
    return new Map(plan?.map(({ id, step }) => [id, step]));
  }, [history, isFolded, count]);
  return (
    <div class={`${styles.timeline} column`}>
      <search class={`${styles.filters} line`}>
        <Search of={search} label={texts.search} />
        <Choice
          of={kind}
          label={texts.kinds}
          any={texts.anyKind}
          choices={[...kinds].sort().map((value) => ({ value, title: `${eventTitles.value[value]} · ${value}` }))}
        />
        <Choice
          of={item}
          label={texts.items}
          any={texts.anyItem}
          choices={[...items]
            .slice(-ITEMS_MAX)
            .map((value) => ({ value, title: [texts.item(value), steps.get(value)].filter(Boolean).join(' · ') }))}
        />
        <Check of={failedOnly}>{texts.failedOnly}</Check>
        <span class="muted" aria-live="polite">
          {texts.shown(shown, count)} <SpentLine spent={spent} />
        </span>
      </search>
      <FoldProgress history={history} />
      <TimelineList history={history} rows={rows} longest={longest} />
    </div>
  );
};

/** A task's trace, entry by entry. */
export const TimelinePane = (of: TaskProps) => <Timeline history={historyOf(of)} />;
