/** Milliseconds of the units in which an age is written. */
const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** One day, in milliseconds. */
export const DAY_MS = UNITS.d;

/** An age such as `90d`, `12w` or `36h`, in milliseconds; null for a text that is none. */
export const ageOf = (text: string): number | null => {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNITS[unit as keyof typeof UNITS];
};
