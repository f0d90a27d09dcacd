import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { formatDay, formatSpan, formatTime } from '../../src/when/format-when.ts';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const zones = [...Intl.supportedValuesOf('timeZone'), '+13:45', '-00:30', 'UTC'];

it('a time is shown as the calendar library reads it, in any zone and year', () => {
  const at = fc.oneof(fc.integer({ min: -2e12, max: 4e12 }), fc.integer({ min: -8e15, max: 8e15 }));
  fc.assert(
    fc.property(at, fc.nat(2e8), fc.constantFrom(...zones), (from, ms, timezone) => {
      const locale = { timezone, language: 'en' } as const;
      const [start, end] = [from, from + ms].map((each) =>
        Temporal.Instant.fromEpochMilliseconds(each).toZonedDateTimeISO(timezone),
      ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
      const clock = (zoned: Temporal.ZonedDateTime) => zoned.toPlainTime().toString().slice(0, 5);
      const [day, last] = [start, end].map((each) => each.toPlainDate().toString());
      const weekday = `(${DAYS[start.dayOfWeek - 1]})`;
      expect(formatDay(from, locale)).toBe(`${day} ${weekday}`);
      expect(formatTime(from, locale)).toBe(`${day} ${clock(start)} ${weekday}`);
      const until = day === last ? clock(end) : `${last} ${clock(end)}`;
      expect(formatSpan(from, from + ms, locale)).toBe(`${day} ${clock(start)}–${until} ${weekday}`);
    }),
    { numRuns: 300 },
  );
});
