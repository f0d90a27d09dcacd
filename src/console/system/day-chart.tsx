import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { UsageDay } from '../../../contracts/usage.ts';
import styles from './system.module.css';

/** Quantities shown by day. */
export type Measure = 'tokens' | 'turns' | 'cost';

/** One day's bar: the values of its parts, from the bottom up. */
export interface DayBar {
  /** As `2026-01-05`. */
  day: string;
  parts: readonly number[];
  /** Null: it is not known. */
  total: number | null;
}

/** Colours of the parts of a bar, from the bottom up. */
export const COLOURS = ['var(--neutral)', 'var(--running)', 'var(--done)'];

const DAY_MS = 24 * 60 * 60 * 1_000;

const partsOf = ({ usage, turns, cost }: UsageDay, measure: Measure): number[] => {
  switch (measure) {
    case 'tokens':
      return [usage.cache_read_tokens + usage.cache_written_tokens, usage.input_tokens, usage.output_tokens];
    case 'turns':
      return [turns];
    case 'cost':
      return [Number(cost?.amount ?? 0)];
    default:
      return measure satisfies never;
  }
};

/** The bars of the last `count` days up to `today`, oldest first; a day on which nothing was used has an empty one. */
export const dayBars = (days: readonly UsageDay[], today: string, count: number, measure: Measure): DayBar[] => {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, i): DayBar => {
    const day = new Date(last - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10);
    const used = byDay.get(day);
    if (used === undefined) return { day, parts: [], total: 0 };
    const parts = partsOf(used, measure);
    const isKnown = measure !== 'cost' || used.cost !== undefined || used.calls === 0;
    return { day, parts, total: isKnown ? parts.reduce((sum, part) => sum + part, 0) : null };
  });
};

/** How wide a drawing is on the screen, in pixels, so that its text keeps its size: at least `min`. */
export const useWidth = (min: number): { ref: RefObject<SVGSVGElement | null>; width: number } => {
  const ref = useRef<SVGSVGElement>(null);
  const width = useSignal(min);
  useLayoutEffect(() => {
    const { current: drawing } = ref;
    if (drawing === null) return;
    const measure = (): void => {
      width.value = Math.max(min, Math.round(drawing.getBoundingClientRect().width));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(drawing);
    return () => resized.disconnect();
  }, []);
  return { ref, width: width.value };
};

/** Narrowest that it is drawn, in pixels: a label of an axis stays readable. */
const WIDTH_MIN = 280;
const HEIGHT = 180;
const BOTTOM = 20;
const LEFT = 56;
const RIGHT = 16;
/** Space that a label below the chart takes, in pixels. */
const LABEL = 64;
const TOP = 8;
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

/** Bars by day. The table below it says the same in numbers. */
export const DayChart = ({ bars, label, format }: DayChartProps) => {
  const max = niceMax(Math.max(...bars.map(({ total }) => total ?? 0)));
  const { ref, width: whole } = useWidth(WIDTH_MIN);
  const width = (whole - LEFT - RIGHT) / Math.max(1, bars.length);
  const yOf = (value: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / max);
  const every = Math.ceil((bars.length * LABEL) / (whole - LEFT - RIGHT));
  return (
    <svg ref={ref} class={styles.chart} viewBox={`0 0 ${whole} ${HEIGHT}`} role="img" aria-label={label}>
      {Array.from({ length: GRID_LINES + 1 }, (_, i) => (max * i) / GRID_LINES).map((value) => (
        <g key={value}>
          <line stroke="var(--border)" x1={LEFT} x2={whole - RIGHT} y1={yOf(value)} y2={yOf(value)} />
          <text class={styles.axis} x={LEFT - 6} y={yOf(value) + 4} text-anchor="end">
            {format(value)}
          </text>
        </g>
      ))}
      {bars.map(({ day, parts, total }, i) => {
        const x = LEFT + i * width;
        let below = 0;
        return (
          <g key={day}>
            <title>{`${day}: ${total === null ? '?' : format(total)}`}</title>
            <rect fill="transparent" x={x} y={TOP} width={width} height={HEIGHT - TOP - BOTTOM} />
            {parts.map((part, index) => {
              const y = yOf(below + part);
              const height = yOf(below) - y;
              below += part;
              return (
                <rect
                  key={index}
                  fill={parts.length === 1 ? 'var(--running)' : COLOURS[index]}
                  x={x + width * 0.15}
                  y={y}
                  width={width * 0.7}
                  height={Math.max(0, height)}
                />
              );
            })}
            {(bars.length - 1 - i) % every === 0 && (
              <text class={styles.axis} x={x + width / 2} y={HEIGHT - 5} text-anchor="middle">
                {day.slice(5)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};
