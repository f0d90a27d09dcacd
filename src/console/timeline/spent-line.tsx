import { formatCost, formatDuration, formatNumber, locale } from '../text/numbers.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import type { Spent } from './timeline-rows.ts';

interface SpentLineProps {
  spent: Spent;
  /** When it was; absent: the time of day is omitted. */
  at?: string;
  /** The time that a full bar stands for, in milliseconds; absent: no bar. */
  longest?: number;
  /** Nothing was spent, because the model's previous message already contained it. */
  isRest?: boolean;
}

/** Time of day, duration with its bar, tokens and cost in one line; zero amounts are omitted. */
export const SpentLine = ({ spent: { ms, waited, tokens, cost, currency }, at, longest, isRest }: SpentLineProps) => (
  <span class={`${styles.spent} muted small`}>
    {at !== undefined && (
      <time dateTime={at}>{new Intl.DateTimeFormat(locale.value, { timeStyle: 'medium' }).format(new Date(at))}</time>
    )}
    {longest !== undefined && (
      <span class={styles.bar} aria-hidden="true">
        {ms > 0 && <i style={{ width: `${(100 * ms) / Math.max(1, longest)}%` }} />}
      </span>
    )}
    {isRest === true && <span>{timelineTexts.value.inSameMessage}</span>}
    {ms > 0 && <span>{formatDuration(ms)}</span>}
    {waited > 0 && <span>{timelineTexts.value.waited(formatDuration(waited))}</span>}
    {tokens > 0 && <span>{timelineTexts.value.spentTokens(formatNumber.value(tokens))}</span>}
    {cost !== null && <span>{formatCost(cost, currency)}</span>}
  </span>
);
