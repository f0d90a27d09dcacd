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
