import type { Spent } from '../history/spent.ts';
import { formatClock, formatCost, formatDuration, formatNumber } from '../text/numbers.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

interface SpentLineProps {
  spent: Spent;
  /** When it was; absent: the time of day is omitted. */
  at?: string;
}

/** Time of day, duration, tokens and cost in one line; zero amounts are omitted. */
export const SpentLine = ({ spent: { ms, waited, tokens, cost, currency }, at }: SpentLineProps) => (
  <span class={`${styles.spent} muted small`}>
    {at !== undefined && <time dateTime={at}>{formatClock(Date.parse(at))}</time>}
    {ms > 0 && <span>{formatDuration(ms)}</span>}
    {waited > 0 && <span>{timelineTexts.value.waited(formatDuration(waited))}</span>}
    {tokens > 0 && <span>{timelineTexts.value.spentTokens(formatNumber.value(tokens))}</span>}
    {cost !== null && <span>{formatCost(cost, currency)}</span>}
  </span>
);
