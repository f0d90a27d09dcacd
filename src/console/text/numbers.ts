import { computed } from '@preact/signals';
import { language } from './language.ts';

/** The locale whose numbers and dates are shown: that of the chosen language, not the browser's. */
export const locale = computed(() => (language.value === 'zh' ? 'zh-CN' : 'en'));

/** Writes a number in the chosen language. */
export const formatNumber = computed(() => new Intl.NumberFormat(locale.value).format);

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes in the largest unit that it fills, such as `64 MiB`, to a tenth of it. */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${formatNumber.value(Math.round((bytes / 1024 ** power) * 10) / 10)} ${UNITS[power]}`;
};
