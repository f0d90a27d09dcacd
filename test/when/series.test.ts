import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { countBetween, endingAfter, nextOccurrence, occurrencesBetween, type Series } from '../../src/when/series.ts';

const DAY_MS = 86_400_000;

const rruleOf = fc
  .tuple(
    fc.oneof(
      fc.constant('FREQ=DAILY'),
      fc
        .subarray(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], { minLength: 1 })
        .map((days) => `FREQ=WEEKLY;BYDAY=${days}`),
      fc.integer({ min: 1, max: 31 }).map((date) => `FREQ=MONTHLY;BYMONTHDAY=${date}`),
    ),
    fc.constantFrom('', ';INTERVAL=2'),
  )
  .map(([rule, interval]) => rule.replace(';', `${interval};`) + (rule.includes(';') ? '' : interval));

/** Zones that change their clocks at midnight, by half an hour, in the south, twice around a month, or never. */
const zones = [
  'Europe/Berlin',
  'America/Havana',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Casablanca',
  'UTC',
];

const beginOf = fc
  .record({
    zone: fc.constantFrom(...zones),
    day: fc.integer({ min: 0, max: 3_000 }),
    minute: fc.oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 1_439 })),
  })
  .map(({ zone, day, minute }) =>
    Temporal.PlainDateTime.from('2026-01-01').add({ days: day, minutes: minute }).toZonedDateTime(zone),
  );

const millisecondsOf = (times: Temporal.ZonedDateTime[]): number[] => times.map((at) => at.epochMilliseconds);

it("an interval of whole days is the calendar's: its hour stays, over clock changes and counted from any time", () => {
  fc.assert(
    fc.property(beginOf, fc.integer({ min: 1, max: 14 }), fc.nat(800), (begin, days, after) => {
      const series: Series = {
        first_at: begin.epochMilliseconds,
        interval_minutes: days * 1_440,
        rrule: null,
        timezone: begin.timeZoneId,
        times: 60,
      };
      const all = Array.from({ length: 60 }, (_, i) => begin.add({ days: i * days }).epochMilliseconds);
      expect(occurrencesBetween(series, 0, Number.POSITIVE_INFINITY, 1_000)).toEqual(all);
      const from = begin.epochMilliseconds + after * DAY_MS;
      const left = all.filter((at) => at >= from);
      expect(occurrencesBetween(series, from, Number.POSITIVE_INFINITY, 1_000)).toEqual(left);
      expect(countBetween(series, from, from + 400 * DAY_MS)).toBe(
        left.filter((at) => at < from + 400 * DAY_MS).length,
      );
      expect(nextOccurrence(series, from - 1)).toBe(left[0] ?? null);
    }),
    { numRuns: 60 },
  );
});

it('a rule comes when another implementation of RFC 5545 says, all in all, after a time and between two', () => {
  fc.assert(
    fc.property(
      rruleOf,
      beginOf,
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: -5, max: 400 }),
      (rrule, begin, times, days) => {
        const ruleFrom = (dtstart: Temporal.ZonedDateTime, count = '') =>
          new RRuleTemporal({ rruleString: rrule + count, dtstart, temporal: Temporal });
        const first = ruleFrom(begin).next(new Date(begin.epochMilliseconds), true) as Temporal.ZonedDateTime;
        const first_at = first.epochMilliseconds;
        const series: Series = { first_at, interval_minutes: null, rrule, timezone: begin.timeZoneId, times: -1 };
        const all = occurrencesBetween(endingAfter(series, times), 0, Number.POSITIVE_INFINITY, 1_000);
        expect(all).toEqual(millisecondsOf(ruleFrom(first, `;COUNT=${times}`).all()));
        const [from, to] = [first_at + days * DAY_MS, first_at + (days + 40) * DAY_MS];
        const between = millisecondsOf(ruleFrom(first).between(new Date(from), new Date(to), true));
        expect(occurrencesBetween(series, from, to, 1_000)).toEqual(between.filter((at) => at < to));
        expect(nextOccurrence(series, from)).toBe(ruleFrom(first).next(new Date(from))?.epochMilliseconds);
      },
    ),
    { numRuns: 60 },
  );
});
