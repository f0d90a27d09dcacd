import { type ReadonlySignal, signal } from '@preact/signals';
import { formatOf, spanTexts } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';

/** The current time in epoch milliseconds while anything shows it, as precise as `everyMs`. */
const ticking = (everyMs: number): ReadonlySignal<number> => {
  let timer: ReturnType<typeof setInterval> | undefined;
  return signal(Date.now(), {
    watched() {
      this.value = Date.now();
      timer = setInterval(() => {
        if (document.visibilityState === 'visible') this.value = Date.now();
      }, everyMs);
    },
    unwatched: () => clearInterval(timer),
  });
};

/** As relative times need it. */
const now = ticking(5_000);

/** As running seconds need it. */
export const runningNow = ticking(1_000);

/** Units of a relative time, in milliseconds. */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/**
 * The age above which a time is more than "now", and the age above which a date is clearer than a number of days, in
 * milliseconds.
 */
const [RELATIVE_FROM, DATE_FROM] = [5_000, 30 * 86_400_000];

const formatDate = formatOf<Intl.DateTimeFormatOptions, number>(Intl.DateTimeFormat, { dateStyle: 'medium' });

const formatExactly = formatOf<Intl.DateTimeFormatOptions, number>(Intl.DateTimeFormat, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

/**
 * How long ago `at` is, or how far ahead if it may be; both in epoch milliseconds. Null: less than a few seconds, or
 * ahead only by the service's clock.
 */
export const relativeTime = (at: number, now: number, mayBeAhead = false): string | null => {
  const away = mayBeAhead ? at - now : Math.min(0, at - now);
  const size = Math.abs(away);
  const [unit, ms] = UNITS.find(([, length]) => size >= length) ?? UNITS[3];
  if (size < RELATIVE_FROM) return null;
  if (size >= DATE_FROM) return formatDate(at);
  const texts = spanTexts.value;
  const span = texts[unit](Math.floor(size / ms));
  return away > 0 ? texts.ahead(span) : texts.ago(span);
};

/**
 * How long ago something was, or how far ahead if it may be, with the exact time on hover. `at` is in the API's format.
 */
export const Time = ({ at, mayBeAhead = false }: { at: string; mayBeAhead?: boolean }) => {
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={formatExactly(time)}>
      {relativeTime(time, now.value, mayBeAhead) ?? shared.value.now}
    </time>
  );
};
