/** Characters shown of one clarification: a page or so, and a task may have a hundred. */
export const CLARIFICATION_CHARS_SHOWN = 8_000;

/** Characters shown of a completed item's result: its conclusion, not the work. */
export const RESULT_CHARS_SHOWN = 2_000;

/** Observations that a replan sees: what was tried lately; the completed items say the rest. */
export const RECENT_OBSERVATIONS_SHOWN = 20;

/** Characters of each that a replan sees: twenty of them stay below 40,000. */
export const RECENT_OBSERVATION_CHARS_SHOWN = 2_000;

/** Characters shown of a step, an expectation or a note where it is one line of a list. */
export const LINE_CHARS_SHOWN = 1_000;

/** Characters shown of one tool input beside its observation: enough to recognise what was tried. */
export const INPUT_CHARS_SHOWN = 1_000;

/** Failures and notes shown, newest last. */
export const NOTES_SHOWN = 10;

/** Characters that the texts of one list may have together: a few dozen entries are shown as long as above, and hundreds shorter. */
const LIST_CHARS_SHOWN = 128_000;

/** The same of an item's own observations: 32 of the longest are shown in full. */
export const OWN_OBSERVATIONS_CHARS_SHOWN = 320_000;

/** Characters shown of each entry of a list of so many, at most `max`. It changes seldom as a list grows, for then the provider's cache of it is lost. */
export const shareOf = (count: number, max: number, ofAll = LIST_CHARS_SHOWN): number =>
  Math.min(max, ofAll / 2 ** Math.ceil(Math.log2(Math.max(count, 1))));
