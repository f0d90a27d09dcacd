import { createRequire } from 'node:module';
import type { Temporal } from 'temporal-polyfill';

const require = createRequire(import.meta.url);

/** Calendar and clock arithmetic, loaded when a time is first read or shown. A start does not need it. */
export const temporal = (): typeof import('temporal-polyfill')['Temporal'] =>
  (require('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal;

/** The English date parser, loaded when words are first read as a time: it is the largest import of all. */
export const chrono = (): typeof import('chrono-node/en') => require('chrono-node/en');

/**
 * The last representable instant, in epoch milliseconds; the first is as far before 1970. There are no dates a year
 * beyond them.
 */
const LAST_SHOWN = 8.6e15;

/** An instant (epoch milliseconds) on the user's clock. One that no date can represent becomes the nearest that can. */
export const zonedAt = (at: number, timezone: string): Temporal.ZonedDateTime =>
  temporal()
    .Instant.fromEpochMilliseconds(Math.min(Math.max(at, -LAST_SHOWN), LAST_SHOWN))
    .toZonedDateTimeISO(timezone);

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export const dateOf = (at: number, timezone: string): string => zonedAt(at, timezone).toPlainDate().toString();
