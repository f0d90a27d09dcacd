import { signal } from '@preact/signals';

/** How often relative times are written anew, in milliseconds. */
const TICK_MS = 5_000;

/** The present time in epoch milliseconds, as exact as relative times need it. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, TICK_MS);
