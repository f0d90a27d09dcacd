import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { isRestOfMessage } from '../../history/rest-of-message.ts';
import { meaningOf } from '../design/badge.tsx';
import { Empty, Loading } from '../design/loaded.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { isFailure } from '../scrubber/marks.ts';
import { lookBack, selectCall, selectedCall, selectedSeq } from '../state/selection.ts';
import { eventTitle } from '../text/event-titles.ts';
import { entryText } from './entry-text.ts';
import { SpentLine } from './spent-line.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import type { Place, TimelineRow } from './timeline-rows.ts';

/** Height of a row, in pixels, as in the style sheet. */
const ROW_PX = 46;

/** Rows drawn beyond the visible ones, so that quick scrolling shows no blanks. */
const OVERSCAN = 12;

/** How near to its end a list counts as followed, in pixels. */
const END_PX = 40;

/** Draws only the visible rows of a list. Follows the end while the list is scrolled there. */
const useVirtualRows = (count: number, isFollowing: boolean) => {
  const ref = useRef<HTMLDivElement>(null);
  const first = useSignal(0);
  const drawn = useSignal(0);
  /** True until the user scrolls away from the end. Growth of the list is not scrolling. */
  const isAtEnd = useRef(true);
  const look = (list: HTMLElement): void => {
    first.value = Math.max(0, Math.floor(list.scrollTop / ROW_PX) - OVERSCAN);
    drawn.value = Math.ceil(list.clientHeight / ROW_PX) + 2 * OVERSCAN;
  };
  const onScroll = ({ currentTarget: list }: { currentTarget: HTMLElement }): void => {
    isAtEnd.current = list.scrollTop + list.clientHeight >= list.scrollHeight - END_PX;
    look(list);
  };
  useLayoutEffect(() => {
    const { current: list } = ref;
    const resized = new ResizeObserver(() => list !== null && look(list));
    if (list !== null) resized.observe(list);
    return () => resized.disconnect();
  }, [count > 0]);
  useLayoutEffect(() => {
    if (isFollowing && isAtEnd.current && ref.current !== null) ref.current.scrollTop = count * ROW_PX;
  }, [count]);
  /** Scrolls a row into view if necessary. */
  const show = (index: number): void => {
    const { current: list } = ref;
    const top = index * ROW_PX;
    if (list !== null) list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + ROW_PX - list.clientHeight));
  };
  const start = Math.min(first.value, count);
  return { ref, onScroll, start, end: Math.min(start + drawn.value, count), show };
};

/** The title of a part of a task's work; `step`: the plan item's text, null if it is not known yet. */
const placeTitle = ({ part, item, round }: Place, step: string | null): string => {
  const { planning, replanning, verifying, ...texts } = timelineTexts.value;
  const titles: Record<Place['part'], string> = {
    planning,
    replanning: replanning(round),
    verifying: verifying(round),
    item: item === null ? texts.noItem : (step ?? texts.item(item)),
  };
  return titles[part];
};

/**
 * The heading of a run of entries: the part of the work. An item is named by its step's text, with its id beside it.
 */
const Heading = ({ history, row: { place, spent, index } }: { history: TaskHistory; row: TimelineRow }) => {
  const step = history.fold.value?.stepAt(index - 1) ?? null;
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
  row: TimelineRow;
  longest: number;
}

/** One entry: its number, event and text; below it its time and usage. */
const EntryRow = ({ entry, row: { place, beginsRound, spent }, longest }: EntryRowProps) => {
  const ofState = entry.state === null ? 'neutral' : meaningOf(entry.state);
  const meaning = isFailure(entry) ? 'failed' : ofState;
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
        <SpentLine at={entry.at} spent={spent} longest={longest} isRest={isRestOfMessage(entry.event)} />
      </span>
    </>
  );
};

/** Entries that a page key moves by. */
const PAGE = 15;

const moves: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface ListProps {
  history: TaskHistory;
  rows: readonly TimelineRow[];
  longest: number;
}

/** The entries as a list, of which only visible ones are drawn. Pointer or keys choose one. */
export const TimelineList = ({ history, rows, longest }: ListProps) => {
  const texts = timelineTexts.value;
  const id = useId();
  const { entries, index: looked, error } = history;
  const call = selectedCall.value;
  const { ref, onScroll, start, end, show } = useVirtualRows(rows.length, selectedSeq.value === null);
  const isAt = ({ isHeading, index }: TimelineRow): boolean =>
    !isHeading && (call === null ? index <= looked.value : entries[index]!.seq === call);
  /** The row of the call in the inspector, else that of the moment. */
  const chosen = call === null && selectedSeq.value === null ? -1 : rows.findLastIndex(isAt);
  useEffect(() => {
    if (chosen < 0) return;
    // In the next frame: the list may have become shorter for the entry shown below it.
    const frame = requestAnimationFrame(() => show(chosen));
    return () => cancelAnimationFrame(frame);
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      lookBack();
      return;
    }
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const shown = rows.filter(({ isHeading }) => !isHeading);
    const from = chosen < 0 ? (by > 0 ? -1 : shown.length) : shown.indexOf(rows[chosen]!);
    const to = shown[Math.min(Math.max(from + by, 0), shown.length - 1)];
    if (to !== undefined) selectCall(entries[to.index]!.seq);
  };
  if (entries.length === 0) return error.value === null ? <Loading /> : null;
  if (rows.length === 0) return <Empty title={texts.nothing}>{texts.nothingHint}</Empty>;
  return (
    <div
      ref={ref}
      class={styles.list}
      role="listbox"
      tabIndex={0}
      aria-label={texts.list}
      aria-activedescendant={chosen >= start && chosen < end ? `${id}-${chosen}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <div role="presentation" style={{ height: `${rows.length * ROW_PX}px`, paddingTop: `${start * ROW_PX}px` }}>
        {rows.slice(start, end).map((row, i) => {
          const place = start + i;
          if (row.isHeading) return <Heading key={place} history={history} row={row} />;
          const entry = entries[row.index]!;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the list has the focus and the keys.
            <div
              key={place}
              id={`${id}-${place}`}
              class={styles.row}
              role="option"
              aria-selected={place === chosen}
              data-seq={entry.seq}
              onClick={() => selectCall(entry.seq)}
            >
              <EntryRow entry={entry} row={row} longest={longest} />
            </div>
          );
        })}
      </div>
    </div>
  );
};
