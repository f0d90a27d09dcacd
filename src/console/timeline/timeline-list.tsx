import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { selectedSeq, selectSeq } from '../app/selection.ts';
import { meaningOf } from '../design/badge.tsx';
import { Empty } from '../design/loaded.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { isFailure } from '../scrubber/marks.ts';
import { eventTitle } from '../text/event-titles.ts';
import { entryText } from './entry-text.ts';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import { type Place, rowOfEntry, type TimelineRow, type TimelineRows } from './timeline-rows.ts';

/** Height of a row, in pixels, as the style sheet has it. */
const ROW_PX = 46;

/** Rows that are drawn beyond what is in view, so that a quick scroll meets no blank. */
const OVERSCAN = 12;

/** How near to its end a list counts as followed, in pixels. */
const END_PX = 40;

/** Draws only those rows of a list that are in view. Follows the end as long as one is there. */
const useVirtualRows = (count: number, isFollowing: boolean) => {
  const ref = useRef<HTMLDivElement>(null);
  const first = useSignal(0);
  const drawn = useSignal(0);
  /** One is at the end until one scrolls away from it; that more rows come is no scrolling. */
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current: list } = ref;
    if (list === null) return;
    const look = (): void => {
      first.value = Math.max(0, Math.floor(list.scrollTop / ROW_PX) - OVERSCAN);
      drawn.value = Math.ceil(list.clientHeight / ROW_PX) + 2 * OVERSCAN;
    };
    const scrolled = (): void => {
      isAtEnd.current = list.scrollTop + list.clientHeight >= list.scrollHeight - END_PX;
      look();
    };
    const resized = new ResizeObserver(look);
    resized.observe(list);
    list.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      resized.disconnect();
      list.removeEventListener('scroll', scrolled);
    };
  }, [count > 0]);
  useLayoutEffect(() => {
    if (isFollowing && isAtEnd.current && ref.current !== null) ref.current.scrollTop = count * ROW_PX;
  }, [count]);
  const start = Math.min(first.value, count);
  /** Brings a row into view, if it is not. */
  const show = (index: number): void => {
    const { current: list } = ref;
    if (list === null) return;
    const top = index * ROW_PX;
    list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + ROW_PX - list.clientHeight));
  };
  return { ref, start, end: Math.min(start + drawn.value, count), show };
};

/** The title of a part of a task's work; `step`: the plan item's text, null where it is not known yet. */
const placeTitle = ({ part, item, round }: Place, step: string | null): string => {
  const texts = timelineTexts.value;
  switch (part) {
    case 'planning':
      return texts.planning;
    case 'item':
      return item === null ? texts.noItem : (step ?? texts.item(item));
    case 'replanning':
      return texts.replanning(round);
    case 'verifying':
      return texts.verifying(round);
    default:
      return part satisfies never;
  }
};

interface HeadingProps {
  history: TaskHistory;
  row: TimelineRow & { type: 'heading' };
  /** The row below it. */
  next: TimelineRow | undefined;
}

/** The heading of a run of entries: what the task worked at. An item is called by its step's text, with its id beside it. */
const Heading = ({ history: { fold }, row: { place, spent }, next }: HeadingProps) => {
  const index = next?.type === 'entry' ? next.index : 0;
  const folded = fold.value;
  const step = folded !== null && folded.folded.value >= index ? folded.stepAt(index - 1) : null;
  return (
    <div class={`${styles.row} ${styles.heading}`} role="presentation">
      <span class="clipped" title={step ?? undefined}>
        {placeTitle(place, step)}
      </span>
      {place.item !== null && step !== null && <code class="muted">{place.item}</code>}
      <SpentLine spent={spent} />
    </div>
  );
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
      <span class={`${styles.seq} muted small`}>{entry.seq}</span>
      <span class={styles.dot} style={{ background: `var(--${meaning})` }} />
      <span class={styles.about}>
        <span class="muted" title={entry.event.type}>
          {eventTitle(entry.event)}
        </span>
        <span class="clipped">{entryText(entry)}</span>
        {beginsRound && <span class="muted small">{timelineTexts.value.round(place.round)}</span>}
        <SpentLine at={entry.at} spent={spent} longest={longest} />
      </span>
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

/** The entry's row that lies `by` rows from another, passing headings; the first or last one beyond the ends. */
const moved = (rows: readonly TimelineRow[], from: number, by: number): TimelineRow | undefined => {
  const target = Math.min(Math.max(from + by, 0), rows.length - 1);
  const isEntry = (row: TimelineRow): boolean => row.type === 'entry';
  const below = rows.slice(target, target + 2).find(isEntry);
  const above = rows.slice(Math.max(0, target - 1), target + 1).findLast(isEntry);
  return by > 0 ? (below ?? above) : target === 0 ? below : (above ?? below);
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
  const { ref, start, end, show } = useVirtualRows(count, selectedSeq.value === null);
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
      aria-activedescendant={chosen >= start && chosen < end ? `${id}-${chosen}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${count * ROW_PX}px`, paddingTop: `${start * ROW_PX}px` }}>
        {rows.slice(start, end).map((row, i) => {
          const index = start + i;
          if (row.type === 'heading') return <Heading key={index} history={history} row={row} next={rows[index + 1]} />;
          const entry = entries[row.index]!;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the list has the focus and the keys.
            <div
              key={index}
              id={`${id}-${index}`}
              class={styles.row}
              role="option"
              aria-selected={index === chosen}
              data-seq={entry.seq}
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
