import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { Sign } from '../design/badge.tsx';
import { Icon } from '../design/icon.tsx';
import { MarkdownLine } from '../design/markdown.tsx';
import type { TaskCall } from '../history/calls.ts';
import { addSpent, NOTHING_SPENT, type Spent, spentOn } from '../history/spent.ts';
import { isCallBegun, lookBack, selectCall, selectedCall } from '../state/selection.ts';
import { isPhone } from '../state/window.ts';
import { formatCost, formatNumber } from '../text/numbers.ts';
import type { Axis } from './axis.ts';
import { callWords } from './call-text.ts';
import { AxisLines, Lane } from './lane.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import type { Switched, WaterfallRow } from './waterfall-rows.ts';

/** Heights of a row, in pixels, as in the style sheet. */
const [ROW_PX, PHONE_ROW_PX] = [28, 44];

/** Height of the ruler, in pixels, as in the style sheet. */
const RULER_PX = 32;

/** Rows drawn beyond the visible ones, so that quick scrolling shows no blanks. */
const OVERSCAN = 12;

/** How near to its end a list counts as followed, in pixels. */
const END_PX = 40;

/** How a list of rows moves as it grows. */
export type Movement =
  /** It opens at its end, and stays there until the user scrolls away. */
  | 'at-end'
  /** It opens at its start, and stays at its end once the user scrolls there, or if all rows are seen. */
  | 'at-start'
  /** Not at all. */
  | 'still';

const isAtItsEnd = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight >= scrollHeight - END_PX;

/** Draws only the visible rows of a list. */
const useVirtualRows = (count: number, movement: Movement) => {
  const ref = useRef<HTMLDivElement>(null);
  const first = useSignal(0);
  const drawn = useSignal(0);
  const rowPx = isPhone.value ? PHONE_ROW_PX : ROW_PX;
  /** Growth of the list is not scrolling. Null: it is not drawn yet. */
  const isAtEnd = useRef<boolean | null>(null);
  const look = (list: HTMLElement): void => {
    first.value = Math.max(0, Math.floor(list.scrollTop / rowPx) - OVERSCAN);
    drawn.value = Math.ceil(list.clientHeight / rowPx) + 2 * OVERSCAN;
  };
  const onScroll = ({ currentTarget: list }: { currentTarget: HTMLElement }): void => {
    isAtEnd.current = isAtItsEnd(list);
    look(list);
  };
  useLayoutEffect(() => {
    const { current: list } = ref;
    const resized = new ResizeObserver(() => list !== null && look(list));
    if (list !== null) resized.observe(list);
    return () => resized.disconnect();
  }, [count > 0, rowPx]);
  useLayoutEffect(() => {
    const { current: list } = ref;
    if (list === null) return;
    isAtEnd.current ??= movement === 'at-end' || isAtItsEnd(list);
    if (movement !== 'still' && isAtEnd.current) list.scrollTop = list.scrollHeight;
  }, [count]);
  /** Scrolls a row into view if necessary. */
  const show = (index: number): void => {
    const { current: list } = ref;
    const top = index * rowPx;
    if (list !== null)
      list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + rowPx + RULER_PX - list.clientHeight));
  };
  const start = Math.min(first.value, count);
  return { ref, onScroll, start, end: Math.min(start + drawn.value, count), show, rowPx };
};

const callsIn = (row: WaterfallRow): readonly TaskCall[] => (row.type === 'call' ? [row.call] : row.calls);

const Amounts = ({ spent: { tokens, cost, currency } }: { spent: Spent }) => (
  <>
    <span class={`${styles.amount} number`}>{tokens > 0 && formatNumber.value(tokens)}</span>
    {cost !== null && <span class={`${styles.amount} number`}>{formatCost(cost, currency)}</span>}
  </>
);

interface RowsProps {
  entries: readonly TraceEntry[];
  axis: Axis;
  /** Until when calls that are not over are drawn, in epoch milliseconds. */
  until: number;
  /** The text of a plan item's step; null: it is not known. */
  stepOf: (row: WaterfallRow) => string | null;
}

const Chevron = ({ isOpen }: { isOpen: boolean }) => <Icon name={isOpen ? 'down' : 'right'} />;

const CallName = ({ call, entries }: { call: TaskCall; entries: readonly TraceEntry[] }) => {
  const { icon, title, note } = callWords(call, entries);
  const isRunning = call.endsAt === null && call.kind !== 'wait';
  return (
    <>
      <span class={styles.mark} data-bar={call.isFailed ? 'failed' : call.kind}>
        {isRunning ? <Sign meaning="running" /> : icon === null ? <Sign meaning="waiting" /> : <Icon name={icon} />}
      </span>
      <span class="clipped" dir="auto">
        {title}{' '}
        <span class="muted">
          <MarkdownLine text={note} />
        </span>
      </span>
    </>
  );
};

/** The names of calls that repeat, and how often. */
const runTitle = (calls: readonly TaskCall[], entries: readonly TraceEntry[]) => {
  const titles = [...new Set(calls.map((call) => callWords(call, entries).title))];
  return { title: titles.join(timelineTexts.value.listed), times: Math.round(calls.length / titles.length) };
};

const RowContent = ({ row, isOpen, of }: { row: WaterfallRow; isOpen: boolean; of: RowsProps }) => {
  const { entries, axis, until } = of;
  const calls = useMemo(() => callsIn(row), [row]);
  const spent = useMemo(
    () => calls.reduce((sum, call) => addSpent(sum, spentOn(call, entries, until)), NOTHING_SPENT),
    [calls, until],
  );
  const name = (): ComponentChildren => {
    if (row.type === 'call') return <CallName call={row.call} entries={entries} />;
    if (row.type === 'group')
      return (
        <>
          <Chevron isOpen={isOpen} />
          <span class="clipped" dir="auto">
            {of.stepOf(row) ?? timelineTexts.value.item(row.place.item ?? '')}
          </span>
        </>
      );
    const { title, times } = runTitle(row.calls, entries);
    return (
      <>
        <Chevron isOpen={isOpen} />
        <span class="clipped">
          {title} <span class="muted">{timelineTexts.value.times(times)}</span>
        </span>
      </>
    );
  };
  return (
    <>
      <span class={styles.who} style={{ '--depth': row.depth }}>
        {name()}
      </span>
      <Lane calls={calls} axis={axis} until={until} spent={spent} isGroup={row.type === 'group'} />
      <Amounts spent={spent} />
    </>
  );
};

/** Rows that a page key moves by. */
const PAGE = 15;

const moves: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Shows a call in the inspector: by the entry with its outcome, else by the one that asked for it. */
export const chooseCall = ({ from, to }: TaskCall, entries: readonly TraceEntry[]): void => {
  if (to === null) selectCall(entries[from]!.seq, true);
  else selectCall(entries[to]!.seq);
};

/** Whether a call is the one in the inspector. */
export const isChosen = ({ from, to, kind }: TaskCall, entries: readonly TraceEntry[]): boolean => {
  const seq = selectedCall.value;
  if (isCallBegun.value) return kind !== 'point' && entries[from]!.seq === seq;
  return to !== null && entries[to]!.seq === seq;
};

interface WaterfallProps extends RowsProps {
  rows: readonly WaterfallRow[];
  switched: Signal<Switched>;
  ruler: ComponentChildren;
  /** Some call has a known cost. */
  hasCosts: boolean;
  /** Below the rows: the plan's items that are not begun. */
  later: readonly string[];
  movement: Movement;
}

/**
 * Rows with their bars on one time axis, of which only visible ones are drawn. Pointer or keys choose a call, and open
 * or close a group.
 */
export const Waterfall = ({ rows, switched, ruler, hasCosts, later, movement, ...of }: WaterfallProps) => {
  const { entries } = of;
  const id = useId();
  /** The row that the keys are at, by its key; null: that of the chosen call. */
  const active = useSignal<string | null>(null);
  const { ref, onScroll, start, end, show, rowPx } = useVirtualRows(rows.length, movement);
  /** The rows that have the chosen call, the outermost first: the user may fold it with others. */
  const holding =
    selectedCall.value === null ? [] : rows.filter((row) => callsIn(row).some((call) => isChosen(call, entries)));
  const innermost = holding.at(-1);
  const chosen = innermost === undefined ? -1 : rows.indexOf(innermost);
  const at = active.value === null ? chosen : rows.findIndex(({ key }) => key === active.value);
  // With the call that was chosen: later, it would undo the next key.
  useLayoutEffect(() => {
    active.value = null;
  }, [selectedCall.value, isCallBegun.value]);
  useEffect(() => {
    if (at < 0) return;
    // In the next frame: the pane may have become another size for what the inspector shows.
    const frame = requestAnimationFrame(() => show(at));
    return () => cancelAnimationFrame(frame);
  }, [at]);
  const toggle = (key: string): void => {
    const next = new Set(switched.peek());
    if (!next.delete(key)) next.add(key);
    switched.value = next;
  };
  const isOpen = (row: WaterfallRow): boolean => (row.type === 'group') !== switched.value.has(row.key);
  // A call that was chosen elsewhere is seen: the rows that fold it open, until the user folds them again.
  for (const type of ['group', 'run'] as const) {
    const folds = holding.find((row) => row.type === type);
    useLayoutEffect(() => {
      if (folds !== undefined && !isOpen(folds)) toggle(folds.key);
    }, [folds?.key, selectedCall.value, isCallBegun.value]);
  }
  const take = (row: WaterfallRow): void => {
    active.value = row.key;
    if (row.type === 'call') chooseCall(row.call, entries);
  };
  const press = (event: KeyboardEvent): boolean => {
    const row = rows[at];
    if (event.key === 'Escape') lookBack();
    else if (row !== undefined && row.type !== 'call' && ['Enter', ' '].includes(event.key)) toggle(row.key);
    else if (row !== undefined && row.type !== 'call' && event.key === 'ArrowRight') !isOpen(row) && toggle(row.key);
    else if (row !== undefined && row.type !== 'call' && event.key === 'ArrowLeft') isOpen(row) && toggle(row.key);
    else {
      const by = moves[event.key];
      if (by === undefined) return false;
      const from = at < 0 ? (by > 0 ? -1 : rows.length) : at;
      const next = rows[Math.min(Math.max(from + by, 0), rows.length - 1)];
      if (next !== undefined) take(next);
    }
    return true;
  };
  return (
    <div ref={ref} class={styles.list} data-costs={hasCosts} onScroll={onScroll}>
      {ruler}
      <div class={styles.rows}>
        <AxisLines axis={of.axis} />
        <div
          role="tree"
          class={styles.tree}
          tabIndex={0}
          aria-label={timelineTexts.value.list}
          aria-activedescendant={at >= start && at < end ? `${id}-${at}` : undefined}
          style={{ height: `${rows.length * rowPx}px`, paddingTop: `${start * rowPx}px` }}
          onKeyDown={(event) => press(event) && event.preventDefault()}
        >
          {rows.slice(start, end).map((row, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the tree has the focus and the keys.
            <div
              key={row.key}
              id={`${id}-${start + i}`}
              class={`${styles.columns} ${styles.row} ${row.type === 'group' ? styles.group : ''}`}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-selected={start + i === at}
              aria-expanded={row.type === 'call' ? undefined : isOpen(row)}
              data-seq={row.type === 'call' && row.call.to !== null ? entries[row.call.to]!.seq : undefined}
              onClick={() => (row.type === 'call' ? take(row) : toggle(row.key))}
            >
              <RowContent row={row} isOpen={isOpen(row)} of={of} />
            </div>
          ))}
        </div>
        {later.map((step, i) => (
          <div key={i} class={`${styles.columns} ${styles.row} muted`}>
            <span class={styles.who}>
              <Sign meaning="open" />
              <span class="clipped" dir="auto">
                {step}
              </span>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
};
