const MIB = 1024 * 1024;

/** Longest user input, in bytes of UTF-8: a turn is a message, not a file (SPEC 11). */
export const INPUT_BYTES_MAX = 32 * 1024;

/** Longest metadata of a turn, in bytes of JSON: every callback and tool call of the turn carries it. */
export const METADATA_BYTES_MAX = 4 * 1024;

/** Longest `context` of a turn, in characters: it is part of every prompt of its task. */
export const CONTEXT_CHARS_MAX = 4_000;

/** Longest time until a question expires, in seconds: ten years. */
export const QUESTION_SECONDS_MAX = 10 * 366 * 24 * 60 * 60;

/** Facts remembered for an owner across sessions: as many as a person looks through. */
export const FACTS_MAX = 100;

/** Longest fact, in characters: a sentence or two. */
export const FACT_CHARS_MAX = 500;

/** Longest note beside a rating of a reply, in characters. */
export const NOTE_CHARS_MAX = 2_000;

/** Longest interval of a repetition, in minutes: 366 days. */
export const INTERVAL_MINUTES_MAX = 366 * 24 * 60;

/** Largest repetition count; -1 means without end. */
export const TIMES_MAX = 1_000;

/** Scheduled goals of an owner: each opens a task at each of its times. */
export const GOALS_MAX = 100;

export const GOAL_CHARS_MAX = 4_000;

/** Goals that come due in one commit: each adds a turn and an entry. */
export const GOALS_AT_ONCE = 25;

/** Characters of all facts that a task opens with: each of its prompts contains them. */
export const MEMORY_CHARS_MAX = 4_000;

/** Tools that a turn may restrict its task to, by name or prefix. */
export const TURN_TOOLS_MAX = 128;

/**
 * Characters shown of a long result, from its beginning and its end. More would crowd the plan out of the prompt (SPEC
 * 7).
 */
export const RESULT_HEAD_CHARS = 7_000;
export const RESULT_TAIL_CHARS = 3_000;

/**
 * Longest stored observation, in characters: the beginning, the end, and a note of how much is left out between them.
 */
export const OBSERVATION_CHARS_MAX = RESULT_HEAD_CHARS + RESULT_TAIL_CHARS + 100;

/** Observations stored in a task. Older ones are in the trace, and no prompt shows that many (SPEC 7). */
export const OBSERVATIONS_KEPT = 100;

/** Characters of all observations of a task together, with their inputs: the oldest are dropped first (SPEC 7). */
export const OBSERVATIONS_CHARS_MAX = 200_000;

/** Clarifications stored in a task: each costs a person's attention, so real tasks stay far below. */
export const CLARIFICATIONS_KEPT = 100;

/** Longest tool input of a thought, in characters: the trace stores it verbatim. */
export const TOOL_INPUT_CHARS_MAX = 32_000;

/** Actions that one thought may ask for at once: results of more would crowd each other out of the prompt. */
export const ACTIONS_AT_ONCE_MAX = 8;

/** Longest step and longest expected output of a plan item, in characters: every prompt shows them. */
export const STEP_CHARS_MAX = 1_000;

/** Longest question or other short text of a contract, in characters. */
export const QUESTION_CHARS_MAX = 4_000;

/** Choices that a question may offer: a person takes in no more at a glance. */
export const OPTIONS_MAX = 10;

/** Longest choice, in characters: one line. */
export const OPTION_CHARS_MAX = 200;

/** Longest answer to the user, in characters. */
export const RESPONSE_CHARS_MAX = 64_000;

/** Items above which a plan is refused. A shorter plan is cut to `max_plan_items`. */
export const PLAN_ITEMS_READ_MAX = 100;

/** Largest value of `max_plan_items`. */
export const PLAN_ITEMS_KEPT_MAX = 50;

/**
 * Ids of dropped items stored in the task, so that a dependency on one is recognized: far more than usual limits allow.
 */
export const ABANDONED_ITEMS_KEPT = 1_000;

/**
 * Completed and blocked items stored in the task; the oldest are dropped first. More than a task of usual limits can
 * end.
 */
export const PAST_ITEMS_KEPT = 200;

/** Longest stored reason for a refused answer, in characters. */
export const REASON_CHARS_MAX = 1_000;

/** Longest summary of an action for its approver, in characters. */
export const SUMMARY_CHARS_MAX = 500;

/** Invalid fields that one reason names: a model needs only the first few to correct its answer. */
export const REASON_ISSUES_MAX = 5;

/** Deepest nesting of JSON that is read, in levels: contracts need four, and code that walks the value may recurse. */
export const JSON_DEPTH_MAX = 64;

/** Named plans of one session: more than anybody keeps track of, and few enough for one list. */
export const NAMED_PLANS_MAX = 100;

/** Todos of one owner, including done ones: each list sorts all of them. */
export const TODOS_MAX = 2_000;

/** Schedule events of one owner, including past ones: each list reads all of them. */
export const SCHEDULE_EVENTS_MAX = 1_000;

/** Largest file that the files tool reads or writes, in bytes: always the whole file at once. */
export const FILE_BYTES_MAX = 1024 * 1024;

/** Attempts of one effect without an outcome before the task pauses as `crash_loop` (SPEC 6). */
export const EFFECT_ATTEMPTS_MAX = 3;

/** Repetitions of the same tool, input and result in a row on one item that count as a failure (SPEC 6). */
export const REPEATS_MAX = 3;

/** Files of one turn: as many as a person looks through (SPEC 11). */
export const TURN_FILES_MAX = 10;

/** Largest file of a turn, in bytes, whatever it is. */
export const TURN_FILE_BYTES_MAX = 20 * MIB;

/** Largest image, in bytes and in pixels on a side: what providers of models take. */
export const IMAGE_BYTES_MAX = 5 * MIB;
export const IMAGE_PIXELS_MAX = 8_000;

/** Longest name of a file as its sender gives it, in characters. */
export const FILE_NAME_CHARS_MAX = 1_000;

/** Longest path of a file in a session's folder, in characters. */
export const FILE_PATH_CHARS_MAX = 1_024;

/** Longest request body, in bytes: the longest input with every character escaped, plus room for the other fields. */
export const REQUEST_BYTES_MAX = MIB;

/** Longest JSON body of a turn, in bytes: about 24 MB of files in base64. More is sent as a form, which is not held in memory. */
export const TURN_BYTES_MAX = 32 * MIB;

/** Longest request body of a chat front end, in bytes: each request contains the whole conversation, with its files. */
export const FRONT_END_BYTES_MAX = 32 * MIB;

/** Longest request body of a rerun, in bytes: the ids of its tasks, or their traces. */
export const RERUN_BYTES_MAX = 4 * MIB;

export const REPLAY_BYTES_MAX = 16 * MIB;
