import type { UsageDay } from '../../../contracts/usage.ts';

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
