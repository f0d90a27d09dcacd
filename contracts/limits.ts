const MIB = 1024 * 1024;

/** Longest user input, in bytes of UTF-8: a turn is a message, not a file (SPEC 11). */
export const INPUT_BYTES_MAX = 32 * 1024;

/** Longest metadata of a turn, in bytes of JSON: it is in each of its callbacks and tool calls. */
export const METADATA_BYTES_MAX = 4 * 1024;

/** Longest `context` of a turn, in characters: it is part of every prompt of its task. */
export const CONTEXT_CHARS_MAX = 4_000;

/** Longest time until a question expires, in seconds: ten years. */
export const QUESTION_SECONDS_MAX = 10 * 366 * 24 * 60 * 60;

/** Facts that an owner keeps over sessions: as many as a person looks through. */
export const FACTS_MAX = 100;

/** Longest of them, in characters: a sentence or two. */
export const FACT_CHARS_MAX = 500;

/** Longest interval of a repetition, in minutes: 366 days. */
export const INTERVAL_MINUTES_MAX = 366 * 24 * 60;

/** Longest repetition count; without end is -1. */
export const TIMES_MAX = 1_000;

/** Goals on a schedule of an owner: each opens a task at each of its times. */
export const GOALS_MAX = 100;

export const GOAL_CHARS_MAX = 4_000;

/** Goals that come due in one commit: each adds a turn and an entry. */
export const GOALS_AT_ONCE = 25;

/** Characters of the facts that a task is opened with: they are part of each of its prompts. */
export const MEMORY_CHARS_MAX = 4_000;

/** Names of tools, or beginnings of names, that a turn may narrow its task to. */
export const TURN_TOOLS_MAX = 128;

/** Characters that are shown of a long result: its beginning and its end, for more crowds the plan out of the prompt (SPEC 7). */
export const RESULT_HEAD_CHARS = 7_000;
export const RESULT_TAIL_CHARS = 3_000;

/** Longest observation kept, in characters: both, and between them how much is left out. */
export const OBSERVATION_CHARS_MAX = RESULT_HEAD_CHARS + RESULT_TAIL_CHARS + 100;

/** Observations kept on a task: older ones are in the trace, and no prompt shows so many (SPEC 7). */
export const OBSERVATIONS_KEPT = 100;

/** Characters of all observations of a task together, with their inputs: the oldest go first (SPEC 7). */
export const OBSERVATIONS_CHARS_MAX = 200_000;

/** Clarifications kept on a task: each costs a person's attention, so a real task stays far below. */
export const CLARIFICATIONS_KEPT = 100;

/** Longest tool input a thought may give, in characters: it is stored in the trace verbatim. */
export const TOOL_INPUT_CHARS_MAX = 32_000;

/** Actions that one thought may ask for at once: more of them crowd each other out of the prompt. */
export const ACTIONS_AT_ONCE_MAX = 8;

/** Longest step of a plan and longest expected output of one, in characters: every prompt shows them. */
export const STEP_CHARS_MAX = 1_000;

/** Longest question or other short text of a contract, in characters. */
export const QUESTION_CHARS_MAX = 4_000;

/** Choices that a question may offer: more of them are no choice that a person overlooks. */
export const OPTIONS_MAX = 10;

/** Longest choice, in characters: one line. */
export const OPTION_CHARS_MAX = 200;

/** Longest answer to the user, in characters. */
export const RESPONSE_CHARS_MAX = 64_000;

/** Items that a plan contract may list before it is refused; `max_plan_items` cuts what is shorter. */
export const PLAN_ITEMS_READ_MAX = 100;

/** Most items that `max_plan_items` may keep of a plan. */
export const PLAN_ITEMS_KEPT_MAX = 50;

/** Ids of given-up items kept on the task, so that a dependency on one is known: far more than usual limits let plans give up. */
export const ABANDONED_ITEMS_KEPT = 1_000;

/** Completed and blocked items kept on the task, oldest dropped first: more than a task of usual limits can end. */
export const PAST_ITEMS_KEPT = 200;

/** Longest reason kept for a refused answer, in characters. */
export const REASON_CHARS_MAX = 1_000;

/** Broken fields that one reason names: the first few tell a model what to mend. */
export const REASON_ISSUES_MAX = 5;

/** Deepest nesting of JSON that is read, in levels: a contract needs four, and code that walks the value may recurse. */
export const JSON_DEPTH_MAX = 64;

/** Named plans of one session: more than anybody keeps track of, and few enough for one list. */
export const NAMED_PLANS_MAX = 100;

/** Todos of one owner, done ones too: each list sorts all of them, and more are not worked through. */
export const TODOS_MAX = 2_000;

/** Schedule events of one owner, past ones too: each list reads all of them. */
export const SCHEDULE_EVENTS_MAX = 1_000;

/** Largest file that the files tool reads or writes, in bytes: it is read and written as a whole. */
export const FILE_BYTES_MAX = 1024 * 1024;

/** Attempts of one effect without an outcome before the task pauses as `crash_loop` (SPEC 6). */
export const EFFECT_ATTEMPTS_MAX = 3;

/** Same tool, input and result this many times in a row on one item count as a failure (SPEC 6). */
export const REPEATS_MAX = 3;

/** Longest body of a request, in bytes: the longest input with every character escaped, and room for the other fields. */
export const REQUEST_BYTES_MAX = MIB;

/** Longest body of a chat front end's request, in bytes: it has the whole conversation each time. */
export const FRONT_END_BYTES_MAX = 4 * MIB;

export const REPLAY_BYTES_MAX = 16 * MIB;
