import { useSignal } from '@preact/signals';
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import { meaningOf } from '../design/badge.tsx';
import { Empty } from '../design/notice.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { isFailure } from '../scrubber/marks.ts';
import { eventTitle } from '../text/event-titles.ts';
import { Heading } from './entry-detail.tsx';
import { entryText } from './entry-text.ts';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { rowOfEntry, type TimelineRow, type TimelineRows } from './timeline-rows.ts';

/** Rows that are drawn beyond what is in view, so that a quick scroll meets no blank. */
const OVERSCAN = 12;

/** How near to its end a list counts as followed, in pixels. */
const END_PX = 40;

/** The drawn rows of a long list. */
interface VirtualRows {
  ref: { current: HTMLDivElement | null };
  items: readonly VirtualItem[];
  /** Height of all rows together, in pixels. */
  height: number;
  /** Brings a row into view, if it is not. */
  show(index: number): void;
}

/** Draws only those rows of a list that are in view. All rows are `rowHeight` pixels high. Follows the end as long as one is there. */
const useVirtualRows = (count: number, rowHeight: number, isFollowing: boolean): VirtualRows => {
  const ref = useRef<HTMLDivElement>(null);
  const drawn = useSignal(0);
  /** One is at the end until one scrolls away from it; that more rows come is no scrolling. */
  const isAtEnd = useRef(true);
  const virtualizer = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | null>(null);
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count,
    getScrollElement: () => ref.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollToFn: elementScroll<HTMLDivElement>,
    observeElementRect,
    observeElementOffset: (of, onOffset) =>
      observeElementOffset(of, (offset, isScrolling) => {
        const list = of.scrollElement;
        if (list !== null && isScrolling) isAtEnd.current = offset + list.clientHeight >= list.scrollHeight - END_PX;
        onOffset(offset, isScrolling);
      }),
    onChange: () => {
      drawn.value += 1;
    },
  };
  virtualizer.current ??= new Virtualizer(options);
  const rows = virtualizer.current;
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => {
    if (isFollowing && isAtEnd.current && ref.current !== null) ref.current.scrollTop = count * rowHeight;
  }, [count]);
  // Reading it has the component drawn again when other rows come into view.
  void drawn.value;
  return {
    ref,
    items: rows.getVirtualItems(),
    height: rows.getTotalSize(),
    // Rows of one height need no measuring, which the virtualizer's own scrolling does again and again: each time a layout of the page.
    show: (index) => {
      const { current: list } = ref;
      if (list === null) return;
      const { scrollTop, clientHeight } = list;
      const top = index * rowHeight;
      if (top < scrollTop) list.scrollTop = top;
      else if (top + rowHeight > scrollTop + clientHeight) list.scrollTop = top + rowHeight - clientHeight;
    },
  };
};

interface EntryRowProps {
  entry: TraceEntry;
  row: TimelineRow & { type: 'entry' };
  longest: number;
}

/** One entry: its number, what happened and what that says; below it when, and what went into it. */
const EntryRow = ({ entry, row: { place, beginsRound, spent }, longest }: EntryRowProps) => {
  const meaning = isFailure(entry) ? 'failed' : entry.state === null ? 'neutral' : meaningOf(entry.state);
  return (
    <>
      <span class={styles.seq}>{entry.seq}</span>
      <span class={`${styles.dot} ${styles[meaning] ?? ''}`} />
      <span class={styles.about}>
        <span class={styles.kind} title={entry.event.type}>
          {eventTitle(entry.event)}
        </span>
        <span class={styles.prose}>{entryText(entry)}</span>
        {beginsRound && <span class={styles.round}>{timelineTexts.value.round(place.round)}</span>}
        <SpentLine at={entry.at} spent={spent} longest={longest} />
      </span>
    </>
  );
};

/** Height of a row, in pixels, as the style sheet has it. */
const ROW_PX = 46;

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

/** The entry's row that lies `by` rows from another, passing headings; the first or last one beyond the ends. */
const moved = (rows: readonly TimelineRow[], from: number, by: number): TimelineRow | undefined => {
  const target = Math.min(Math.max(from + by, 0), rows.length - 1);
  const isEntry = (row: TimelineRow): boolean => row.type === 'entry';
  const below = rows.slice(target, target + 2).find(isEntry);
  const above = rows.slice(Math.max(0, target - 1), target + 1).findLast(isEntry);
  return by > 0 ? (below ?? above) : target === 0 ? below : (above ?? below);
};

/** The place in the trace of the entry below a heading. */
const firstBelow = (rows: readonly TimelineRow[], heading: number): number => {
  const row = rows[heading + 1];
  return row?.type === 'entry' ? row.index : 0;
};

interface ListProps {
  history: TaskHistory;
  rows: TimelineRows;
  /** How many rows there are: they grow in place. */
  count: number;
}

/** The entries as a list of which only what is in view is drawn. One of them is chosen by pointer or keys. */
export const TimelineList = ({ history, rows: { rows, longest }, count }: ListProps) => {
  const texts = timelineTexts.value;
  const id = useId();
  const { entries } = history.trace;
  const { ref, items, height, show } = useVirtualRows(count, ROW_PX, selectedSeq.value === null);
  const chosen = selectedSeq.value === null ? -1 : rowOfEntry(rows, history.index.value);
  useEffect(() => {
    if (chosen < 0) return;
    // In the next frame: the list may have become shorter for the entry that is shown below it.
    const frame = requestAnimationFrame(() => show(chosen));
    return () => cancelAnimationFrame(frame);
  }, [chosen]);
  const choose = (row: TimelineRow | undefined): void => {
    const entry = row?.type === 'entry' ? entries[row.index] : undefined;
    if (entry !== undefined) selectSeq(entry.seq);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return selectSeq(null);
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose(moved(rows, chosen < 0 ? (by > 0 ? -1 : rows.length) : chosen, by));
  };
  if (count === 0) {
    const isEmpty = entries.length === 0;
    return (
      <Empty title={isEmpty ? texts.empty : texts.nothing}>
        <p>{isEmpty ? texts.emptyHint : texts.nothingHint}</p>
      </Empty>
    );
  }
  return (
    <div
      ref={ref}
      class={styles.list}
      role="listbox"
      tabIndex={0}
      aria-label={texts.list}
      aria-activedescendant={items.some(({ index }) => index === chosen) ? `${id}-${chosen}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div class={styles.rows} style={{ height: `${height}px` }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const place = { transform: `translateY(${start}px)` };
          if (row.type === 'heading')
            return (
              <div key={index} class={`${styles.row} ${styles.heading}`} role="presentation" style={place}>
                <Heading history={history} row={row} index={firstBelow(rows, index)} />
              </div>
            );
          const entry = entries[row.index];
          return entry === undefined ? null : (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the list has the focus and the keys.
            <div
              key={index}
              id={`${id}-${index}`}
              class={styles.row}
              role="option"
              aria-selected={index === chosen}
              data-seq={entry.seq}
              style={place}
              onClick={() => choose(row)}
            >
              <EntryRow entry={entry} row={row} longest={longest} />
            </div>
          );
        })}
      </div>
    </div>
  );
};
