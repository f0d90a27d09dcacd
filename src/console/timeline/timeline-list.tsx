import { useEffect, useId } from 'preact/hooks';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import { Empty } from '../design/notice.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { EntryRow } from './entry-row.tsx';
import { Heading } from './heading.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { rowOfEntry, type TimelineRow, type TimelineRows } from './timeline-rows.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** Height of a row, in pixels, as the style sheet has it. */
const ROW_PX = 26;

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
export const TimelineList = ({ history, rows: { rows }, count }: ListProps) => {
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
                <Heading history={history} place={row.place} index={firstBelow(rows, index)} />
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
              <EntryRow entry={entry} round={row.beginsRound ? row.place.round : null} />
            </div>
          );
        })}
      </div>
    </div>
  );
};
