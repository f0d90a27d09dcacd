import { computed } from '@preact/signals';
import { language } from './language.ts';

/** The locale whose numbers and dates are shown: that of the chosen language, not the browser's. */
export const locale = computed(() => (language.value === 'zh' ? 'zh-CN' : 'en'));

/** Writes a number in the chosen language. */
export const formatNumber = computed(() => new Intl.NumberFormat(locale.value).format);
