/** When in a day, as people say it without an hour. */
export type PartOfDay = 'dawn' | 'morning' | 'noon' | 'afternoon' | 'evening' | 'night';

/** An hour as it was said; `hour` is 0–24. `part` is null where nothing says which half of the day is meant. */
export interface SaidClock {
  hour: number;
  minute: number;
  part: PartOfDay | 'am' | 'pm' | null;
  /** Written as clocks of 24 hours do, `09:30`. */
  isPadded: boolean;
}

/** What one expression of time in a text says. `vague`: it names a time, and not which. `shift`: so many minutes from another time. */
export type TimeToken =
  | { kind: 'day'; words: string; repeats: boolean; part: PartOfDay | null }
  | { kind: 'part'; part: PartOfDay }
  | { kind: 'clock'; clock: SaidClock; until: SaidClock | null }
  | { kind: 'instant'; words: string }
  | { kind: 'duration'; minutes: number }
  | { kind: 'shift'; minutes: number }
  | { kind: 'vague' };

/** How one kind of expression is found in a text, and what it says; null: the match is no time after all. */
export interface TimeRule {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>, text: string): TimeToken | null;
}
