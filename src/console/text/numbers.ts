import { computed } from '@preact/signals';
import { defineTexts, language } from './language.ts';

/** The locale of numbers and dates: that of the chosen language, not the browser's. */
export const locale = computed(() => (language.value === 'zh' ? 'zh-CN' : 'en'));

/** Formats a number in the chosen language. */
export const formatNumber = computed(() => new Intl.NumberFormat(locale.value).format);

/**
 * Makes a format of the chosen language once: that takes a hundred times as long as its use, and a list has many numbers
 * and times.
 */
export const formatOf = <Options, Value>(
  Format: new (locale: string, options: Options) => { format: (value: Value) => string },
  options: Options,
) => {
  const format = computed(() => new Format(locale.value, options));
  return (value: Value): string => format.value.format(value);
};

const formatTenth = formatOf<Intl.NumberFormatOptions, number>(Intl.NumberFormat, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Formats of money, by currency and digits. */
const costFormats = new Map<string, (amount: number) => string>();

/** An amount of money to the two digits that matter, such as `$0.0042`; from 1 on with its cents. */
export const formatCost = (amount: number, currency: string): string => {
  const small =
    amount === 0 ? { maximumFractionDigits: 0 } : { minimumSignificantDigits: 2, maximumSignificantDigits: 2 };
  const digits = amount < 1 ? small : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  // A price list may count in something else, such as credits.
  const isMoney = /^[A-Z]{3}$/.test(currency);
  const money = isMoney ? ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const) : {};
  const options: Intl.NumberFormatOptions = { ...money, ...digits };
  const name = JSON.stringify(options);
  const format = costFormats.get(name) ?? formatOf<Intl.NumberFormatOptions, number>(Intl.NumberFormat, options);
  costFormats.set(name, format);
  return isMoney ? format(amount) : `${format(amount)} ${currency}`;
};

/** A time of day, to the second, in 24 hours: shorter, and sorted as it is read. `at` is in epoch milliseconds. */
export const formatClock = formatOf<Intl.DateTimeFormatOptions, number>(Intl.DateTimeFormat, {
  timeStyle: 'medium',
  hourCycle: 'h23',
});

const durations = defineTexts({
  ms: ['{0} ms', '{0} 毫秒'],
  s: ['{0} s', '{0} 秒'],
  min: ['{0} min', '{0} 分'],
  h: ['{0} h', '{0} 小时'],
  d: ['{0} d', '{0} 天'],
});

/** Spans of one unit, as one says how long ago something was. */
export const spanTexts = defineTexts({
  second: ['{0} s', '{0} 秒'],
  minute: ['{0} min', '{0} 分钟'],
  hour: ['{0} h', '{0} 小时'],
  day: [(count: number) => (count === 1 ? '1 day' : `${count} days`), (count: number) => `${count} 天`],
  ago: ['{0} ago', '{0}前'],
  ahead: ['in {0}', '{0}后'],
});

/** Durations from here on are shown in seconds, in milliseconds. */
const SECONDS_FROM = 100;

/** The units above a second, each with its length in seconds and the next smaller one. */
const LONG_UNITS = [
  { name: 'd', length: 86_400, rest: 'h', part: 3_600 },
  { name: 'h', length: 3_600, rest: 'min', part: 60 },
  { name: 'min', length: 60, rest: 's', part: 1 },
] as const;

/** A duration in its two largest units, to a tenth of a second below ten. */
export const formatDuration = (ms: number): string => {
  const texts = durations.value;
  const seconds = Math.round(ms / 1_000);
  const unit = LONG_UNITS.find(({ length }) => seconds >= length);
  if (unit !== undefined) {
    const rest = Math.floor((seconds % unit.length) / unit.part);
    const whole = texts[unit.name](Math.floor(seconds / unit.length));
    return rest === 0 ? whole : `${whole} ${texts[unit.rest](rest)}`;
  }
  if (ms < SECONDS_FROM) return texts.ms(Math.round(ms));
  return texts.s(ms < 10_000 ? formatTenth(ms / 1_000) : seconds);
};

/** A duration that goes on, in whole seconds below a minute: it changes once a second. */
export const formatRunning = (ms: number): string =>
  ms < 60_000 ? durations.value.s(Math.floor(ms / 1_000)) : formatDuration(ms);

/** A place on a time axis: whole seconds without a tenth. */
export const formatTick = (ms: number): string =>
  ms < 60_000 && ms % 1_000 === 0 ? durations.value.s(ms / 1_000) : formatDuration(ms);

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes in the largest unit that it fills, such as `64 MiB`, to a tenth. */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatNumber.value(Math.round((bytes / 1024 ** power) * 10) / 10)} ${UNITS[power]}`;
};
