import type { UsageDay } from '../../../contracts/usage.ts';
import { locale } from '../text/numbers.ts';
import styles from './system.module.css';

/** Quantities shown by day. */
export type Measure = 'tokens' | 'turns' | 'cost';

/** One day's bar. */
export interface DayBar {
  /** As `2026-01-05`. */
  day: string;
  /** The values of its parts, bottom first; null: unknown. */
  parts: readonly number[] | null;
}

/** Colors of the parts of a bar, bottom first. */
export const COLOURS = ['var(--border-strong)', 'var(--data-model)', 'var(--data-tool)'];

const DAY_MS = 24 * 60 * 60 * 1_000;

const partsOf: Record<Measure, (day: UsageDay) => DayBar['parts']> = {
  tokens: ({ usage }) => [
    usage.cache_read_tokens + usage.cache_written_tokens,
    usage.input_tokens,
    usage.output_tokens,
  ],
  turns: ({ turns }) => [turns],
  cost: ({ cost, calls }) => (cost === undefined && calls > 0 ? null : [Number(cost?.amount ?? 0)]),
};

/** The bars of the last `count` days up to `today`, oldest first. A day without usage has an empty one. */
export const dayBars = (days: readonly UsageDay[], today: string, count: number, measure: Measure): DayBar[] =>
  Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.parse(today) - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    const used = days.find((one) => one.day === day);
    return { day, parts: used === undefined ? [] : partsOf[measure](used) };
  });

const sum = (parts: DayBar['parts']): number => (parts ?? []).reduce((total, part) => total + part, 0);

const GRID_LINES = 4;

/** The next number of the form 1, 2 or 5 times a power of ten. */
const niceMax = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => value <= step * power) ?? 10) * power;
};

interface DayChartProps {
  bars: readonly DayBar[];
  label: string;
  format: (value: number) => string;
}

/** A day as it is said, such as `Nov 3`. */
const shortDay = (day: string): string =>
  new Intl.DateTimeFormat(locale.value, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(Date.parse(day));

/** Bars by day. The table below shows the same as numbers. */
export const DayChart = ({ bars, label, format }: DayChartProps) => {
  const max = niceMax(Math.max(...bars.map(({ parts }) => sum(parts))));
  const percent = (value: number): string => `${(100 * value) / max}%`;
  return (
    <div class={`small ${styles.chart}`} role="img" aria-label={label}>
      {Array.from({ length: GRID_LINES + 1 }, (_, i) => (max * i) / GRID_LINES).map((value) => (
        <span key={value} class={`muted ${styles.grid}`} style={{ bottom: percent(value) }}>
          {format(value)}
        </span>
      ))}
      {bars.map(({ day, parts }) => (
        <div key={day} class={styles.day} title={`${shortDay(day)}: ${parts === null ? '?' : format(sum(parts))}`}>
          {parts?.map((part, i) => {
            const background = parts.length === 1 ? 'var(--running)' : COLOURS[i];
            return <i key={i} style={{ height: percent(part), background }} />;
          })}
          <span class="muted">{shortDay(day)}</span>
        </div>
      ))}
    </div>
  );
};
