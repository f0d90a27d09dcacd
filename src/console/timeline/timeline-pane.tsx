import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TaskProps } from '../api/task-of-session.ts';
import { Empty, Loading } from '../design/loaded.tsx';
import { Popover } from '../design/popover.tsx';
import { useSize } from '../design/size.ts';
import { runningNow } from '../design/time.tsx';
import { FoldProgress } from '../history/fold-progress.tsx';
import { spentOn } from '../history/spent.ts';
import { historyOf, stateOf, type TaskHistory, viewOf } from '../history/task-history.ts';
import { selectedSeq } from '../state/selection.ts';
import { isPhone } from '../state/window.ts';
import { formatClock } from '../text/numbers.ts';
import { axisOf } from './axis.ts';
import { callFilter, findCalls, isFiltered, showOnly } from './call-filter.ts';
import { Ruler } from './lane.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { type Movement, Waterfall } from './waterfall.tsx';
import { filteredCalls, type Switched, type WaterfallRow, waterfallRows } from './waterfall-rows.ts';

/** Most plan items to choose from, the newest ones: longer lists are slow, and the search finds the others. */
const ITEMS_MAX = 300;

/** Most items of the plan that are shown though they are not begun. */
const LATER_MAX = 20;

const ENDED: readonly unknown[] = ['done', 'failed', 'cancelled'];

const WAITING: readonly unknown[] = ['awaiting_user', 'paused'];

/** Until when the waterfall is drawn, in epoch milliseconds: the selected moment, the task's end, or now. */
const untilOf = (history: TaskHistory, isLive: boolean): number => {
  void history.count.value;
  const last = Date.parse(history.entries[history.index.value]?.at ?? '') || 0;
  const isGoingOn = isLive && selectedSeq.value === null && !ENDED.includes(stateOf(history));
  return isGoingOn ? Math.max(last, runningNow.value) : last;
};

/** A task that is over is read from its start; the end of one that runs is watched. */
const movementOf = (history: TaskHistory, isLive: boolean): Movement => {
  const state = stateOf(history);
  if (!isLive || selectedSeq.value !== null || ENDED.includes(state)) return 'still';
  return WAITING.includes(state) ? 'at-start' : 'at-end';
};

/** Search and choice of calls. */
const Filters = ({ history }: { history: TaskHistory }) => {
  const texts = timelineTexts.value;
  const { search, only } = callFilter.value;
  const calls = history.calls.value;
  const items = useMemo(() => [...new Set(calls.flatMap(({ place }) => place.item ?? []))].slice(-ITEMS_MAX), [calls]);
  const steps = new Map(viewOf(history)?.plan.map(({ id, step }) => [id, step]));
  return (
    <search class={styles.filters}>
      <input
        type="search"
        placeholder={texts.search}
        aria-label={texts.search}
        value={search}
        onInput={({ currentTarget }) => findCalls(currentTarget.value)}
      />
      <select aria-label={texts.only} value={only} onChange={({ currentTarget }) => showOnly(currentTarget.value)}>
        <option value="">{texts.all}</option>
        <option value="model">{texts.ofModel}</option>
        <option value="tool">{texts.ofTool}</option>
        <option value="wait">{texts.ofWait}</option>
        <option value="point">{texts.ofPoint}</option>
        <option value="failed">{texts.failedOnly}</option>
        {items.length > 0 && (
          <optgroup label={texts.items}>
            {items.map((item) => (
              <option key={item} value={`item:${item}`}>
                {steps.get(item) ?? texts.item(item)}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </search>
  );
};

/** The width that the search and the choice need beside each other, in pixels, as in the style sheet. */
const FILTERS_PX = 328;

/**
 * The same in the line of the views; where they would take the views' room, behind a button. A phone has no room there
 * at all.
 */
export const CallFilters = ({ history }: { history: TaskHistory }) => {
  const texts = timelineTexts.value;
  const { ref, size } = useSize<HTMLDivElement>();
  if (isPhone.value) return null;
  return (
    <div class={styles.tools} ref={ref}>
      {size.value.width >= FILTERS_PX ? (
        <Filters history={history} />
      ) : (
        <Popover
          icon="search"
          label={texts.filters}
          title={texts.filters}
          aria-pressed={isFiltered.value}
          content={() => (
            <div class={styles.filtersOpen}>
              <Filters history={history} />
            </div>
          )}
        />
      )}
    </div>
  );
};

const Legend = ({ shown, all }: { shown: number; all: number }) => {
  const texts = timelineTexts.value;
  return (
    <p class={`${styles.legend} muted small`}>
      <span data-bar="model">{texts.legendModel}</span>
      <span data-bar="tool">{texts.legendTool}</span>
      <span data-bar="wait">{texts.legendWait}</span>
      <span data-bar="failed">{texts.legendFailed}</span>
      <span class={styles.count} aria-live="polite">
        {texts.shown(shown, all)}
      </span>
    </p>
  );
};

interface TimelineProps {
  history: TaskHistory;
  /** The task may still go on: what is not over is drawn until now. */
  isLive: boolean;
}

/** A task's calls as a waterfall. The inspector shows the chosen one. */
export const Timeline = ({ history, isLive }: TimelineProps) => {
  const texts = timelineTexts.value;
  const { entries } = history;
  const switched = useSignal<Switched>(new Set());
  const isFolding = useSignal(true);
  const filter = callFilter.value;
  const all = history.shownCalls.value;
  const until = untilOf(history, isLive);
  const calls = useMemo(() => filteredCalls(all, entries, filter), [all, filter]);
  const rows = useMemo(() => waterfallRows(calls, switched.value), [calls, switched.value]);
  const folded = useMemo(() => axisOf(all, until, true), [all, until]);
  const axis = useMemo(() => (isFolding.value ? folded : axisOf(all, until, false)), [folded, isFolding.value]);
  const hasCosts = useMemo(() => all.some((call) => spentOn(call, entries, until).cost !== null), [all]);
  const later = isFiltered.value ? [] : (viewOf(history)?.plan.filter(({ status }) => status === 'not_started') ?? []);
  const stepOf = (row: WaterfallRow): string | null =>
    row.type === 'group' ? (history.fold.value?.stepAt(row.calls[0]!.from) ?? null) : null;
  if (entries.length === 0) return history.error.value === null ? <Loading /> : <FoldProgress history={history} />;
  const begins = formatClock(Date.parse(entries[0]!.at));
  return (
    <div class={`${styles.timeline} column`}>
      {isPhone.value && <Filters history={history} />}
      <FoldProgress history={history} />
      {rows.length === 0 && isFiltered.value ? (
        <Empty title={texts.nothing}>{texts.nothingHint}</Empty>
      ) : (
        <Waterfall
          rows={rows}
          entries={entries}
          axis={axis}
          until={until}
          switched={switched}
          movement={movementOf(history, isLive)}
          stepOf={stepOf}
          hasCosts={hasCosts}
          later={later.slice(0, LATER_MAX).map(({ step }) => step)}
          ruler={
            <Ruler
              axis={axis}
              hasCosts={hasCosts}
              since={texts.since(begins)}
              unfold={() => {
                isFolding.value = false;
              }}
              fold={
                isFolding.value || folded.breaks.length === 0
                  ? null
                  : () => {
                      isFolding.value = true;
                    }
              }
            />
          }
        />
      )}
      <Legend shown={calls.length} all={all.length} />
    </div>
  );
};

/** A task's calls, with those that run. */
export const TimelinePane = (of: TaskProps) => <Timeline history={historyOf(of)} isLive />;

/** The tools of that view. */
export const TimelineTools = (of: TaskProps) => <CallFilters history={historyOf(of)} />;
