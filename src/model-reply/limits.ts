/** Longest answer looked at, in characters: more than any model writes in one call, so reading stays short. */
export const ANSWER_CHARS_MAX = 1_000_000;

/** Longest object handed to jsonrepair, in characters: it takes quadratic time on some broken objects. */
export const REPAIR_CHARS_MAX = 100_000;
