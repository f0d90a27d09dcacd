import type { TraceEntry } from '../../../contracts/trace.ts';
import { meaningOf } from '../design/badge.tsx';
import { isFailure } from '../scrubber/marks.ts';
import { eventTitle } from '../text/event-titles.ts';
import { entryText } from './entry-text.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

interface EntryRowProps {
  entry: TraceEntry;
  /** The round that begins with it; null: none does. */
  round: number | null;
}

/** One entry in a line: its number, what happened, and what that says. */
export const EntryRow = ({ entry, round }: EntryRowProps) => {
  const meaning = isFailure(entry) ? 'failed' : entry.state === null ? 'neutral' : meaningOf(entry.state);
  return (
    <>
      <span class={styles.seq}>{entry.seq}</span>
      <span class={`${styles.dot} ${styles[meaning] ?? ''}`} />
      <span class={styles.kind} title={entry.event.type}>
        {eventTitle(entry.event)}
      </span>
      <span class={styles.prose}>{entryText(entry)}</span>
      {round !== null && <span class={styles.round}>{timelineTexts.value.round(round)}</span>}
    </>
  );
};
