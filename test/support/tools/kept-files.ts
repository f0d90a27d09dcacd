/** Limits of a bridge that no test reaches. */
export const keepsAll = { files: 10_000, bytes: 1e9, days: null };
