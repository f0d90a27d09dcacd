import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TaskProps } from '../app/task-of-session.ts';
import { FoldProgress } from '../history/fold-progress.tsx';
import { inSlices } from '../history/slices.ts';
import { type TaskHistory, useHistory } from '../history/task-history.ts';
import type { TaskTrace } from '../history/task-trace.ts';
import { type EventType, eventTitles } from '../text/event-titles.ts';
import { EntryDetail } from './entry-detail.tsx';
import type { Spent } from './spent.ts';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { TimelineList } from './timeline-list.tsx';
import { createRows, type TimelineFilter, type TimelineRows } from './timeline-rows.ts';

/** The rows of a trace that a filter leaves, which grow with the trace. Made in slices: a search reads every entry. */
const useRows = (trace: TaskTrace, filter: Signal<TimelineFilter>): TimelineRows => {
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

interface ChoiceProps {
  label: string;
  any: string;
  chosen: string | null;
  choices: readonly { value: string; title: string }[];
  onChoose: (value: string | null) => void;
}

const Choice = ({ label, any, chosen, choices, onChoose }: ChoiceProps) => (
  <select
    aria-label={label}
    value={chosen ?? ''}
    onChange={({ currentTarget }) => onChoose(currentTarget.value === '' ? null : currentTarget.value)}
  >
    <option value="">{any}</option>
    {choices.map(({ value, title }) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </select>
);

interface FiltersProps {
  filter: Signal<TimelineFilter>;
  kinds: readonly EventType[];
  items: readonly string[];
  /** The text of a plan item's step by its id, as far as it is known. */
  steps: ReadonlyMap<string, string>;
  shown: number;
  spent: Spent;
  all: number;
}

/** Most plan items that one chooses from, the newest ones: longer lists are slow, and the search finds the others. */
const ITEMS_MAX = 300;

/** Search and filters of the timeline, and how many entries they leave. */
const TimelineFilters = ({ filter, kinds, items, steps, shown, spent, all }: FiltersProps) => {
  const texts = timelineTexts.value;
  const change = (changes: Partial<TimelineFilter>): void => {
    filter.value = { ...filter.value, ...changes };
  };
  const { search, kind, item, failedOnly } = filter.value;
  return (
    <search class={styles.filters}>
      <input
        type="search"
        class={styles.search}
        placeholder={texts.search}
        aria-label={texts.search}
        value={search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
      />
      <Choice
        label={texts.kinds}
        any={texts.anyKind}
        chosen={kind}
        choices={kinds.map((value) => ({ value, title: `${eventTitles.value[value]} · ${value}` }))}
        onChoose={(next) => change({ kind: next })}
      />
      <Choice
        label={texts.items}
        any={texts.anyItem}
        chosen={item}
        choices={items
          .slice(-ITEMS_MAX)
          .map((value) => ({ value, title: [texts.item(value), steps.get(value)].filter(Boolean).join(' · ') }))}
        onChoose={(next) => change({ item: next })}
      />
      <label>
        <input
          type="checkbox"
          checked={failedOnly}
          onChange={({ currentTarget }) => change({ failedOnly: currentTarget.checked })}
        />{' '}
        {texts.failedOnly}
      </label>
      <span class={styles.shown} aria-live="polite">
        {texts.shown(shown, all)} <SpentLine spent={spent} />
      </span>
    </search>
  );
};

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
        spent={rows.spent}
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
