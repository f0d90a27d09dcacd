import { computed } from '@preact/signals';
import { language } from './language.ts';

/** The locale of numbers and dates: that of the chosen language, not the browser's. */
export const locale = computed(() => (language.value === 'zh' ? 'zh-CN' : 'en'));

/** Formats a number in the chosen language. */
export const formatNumber = computed(() => new Intl.NumberFormat(locale.value).format);

/** An amount of money to two significant digits, such as `0.0042 USD`. */
export const formatCost = (amount: number, currency: string): string =>
  `${new Intl.NumberFormat(locale.value, { maximumSignificantDigits: amount < 100 ? 2 : 4 }).format(amount)} ${currency}`;

/** A duration in its two largest units, or to a tenth of a second. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  const unit = (value: number, name: 'hour' | 'minute' | 'second' | 'millisecond'): string =>
    new Intl.NumberFormat(locale.value, { style: 'unit', unit: name, maximumFractionDigits: 1 }).format(value);
  if (ms < 1_000) return unit(ms, 'millisecond');
  if (ms < 60_000) return unit(ms / 1_000, 'second');
  if (seconds < 3_600) return `${unit(Math.floor(seconds / 60), 'minute')} ${unit(seconds % 60, 'second')}`;
  return `${unit(Math.floor(seconds / 3_600), 'hour')} ${unit(Math.floor((seconds % 3_600) / 60), 'minute')}`;
};

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes in the largest unit that it fills, such as `64 MiB`, to a tenth. */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatNumber.value(Math.round((bytes / 1024 ** power) * 10) / 10)} ${UNITS[power]}`;
};
