import type { TraceEntry } from '../../../contracts/trace.ts';
import { formatEffect, formatEvent } from '../../trace/format.ts';
import { meaningOf } from '../design/meaning.ts';
import { isFailure } from '../scrubber/marks.ts';
import type { Place } from './entry-place.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** What a part of a task's work is called. */
export const placeTitle = ({ part, item, round }: Place): string => {
  const texts = timelineTexts.value;
  switch (part) {
    case 'planning':
      return texts.planning;
    case 'item':
      return item === null ? texts.noItem : texts.item(item);
    case 'replanning':
      return texts.replanning(round);
    case 'verifying':
      return texts.verifying(round);
    default:
      return part satisfies never;
  }
};

interface EntryRowProps {
  entry: TraceEntry;
  /** The round that begins with it; null: none does. */
  round: number | null;
}

/** One entry in a line: its number, its event, what that says, and what it asked for. */
export const EntryRow = ({ entry, round }: EntryRowProps) => {
  const meaning = isFailure(entry) ? 'failed' : entry.state === null ? 'neutral' : meaningOf(entry.state);
  return (
    <>
      <span class={styles.seq}>{entry.seq}</span>
      <span class={`${styles.dot} ${styles[meaning] ?? ''}`} />
      <span class={styles.kind}>{entry.event.type}</span>
      <span class={styles.prose}>
        {formatEvent(entry)}
        {entry.effects.map((effect) => (
          <span key={effect.effect_id} class={styles.asked}>
            {' → '}
            {formatEffect(effect)}
          </span>
        ))}
      </span>
      {round !== null && <span class={styles.round}>{timelineTexts.value.round(round)}</span>}
    </>
  );
};
