/** A time as people of any zone read it, such as `2026-01-06 00:00 UTC`; `at` in epoch milliseconds. */
export const utcMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
