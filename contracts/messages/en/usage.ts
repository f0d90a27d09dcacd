const scheduleOptions = '[--duration min=60] [--remind when] [--interval min] [--times n|-1] [--remind-start when]';

/** The command lines of tools and slash commands: what a usage error and `/help` show, and in English the models too. */
export const usage = {
  todo: {
    add: '/todo add <text> [--tag t]… [--priority n≥0] [--due when] [--remind when]',
    list: '/todo list [--tag t]… [--view all|today|overdue|upcoming|inbox]',
    search: '/todo search <words>',
    get: '/todo get <id>',
    update: '/todo update <id> [text] [--tag t|none]… [--priority n] [--due when|none] [--remind when|none]',
    done: '/todo done <id>…',
    delete: '/todo delete <id>…',
  },
  view: { view: '/view <all|today|overdue|upcoming|inbox> [--tag t]…' },
  schedule: {
    add: `/schedule add <when> <title> ${scheduleOptions}`,
    list: '/schedule list',
    get: '/schedule get <id>',
    view: '/schedule view <day|week|month> [date]',
    update: `/schedule update <id> [when] [title] ${scheduleOptions}`,
    repeat: '/schedule repeat <id> <on|off>',
    delete: '/schedule delete <id>…',
  },
  scheduleNotes: `<when> is a time in figures or words ("2026-12-01 09:30", "tomorrow 3pm", 明天下午三点), and may repeat: "every Monday 9am", 每周一上午九点.
--remind comes once, or before each time of an event that repeats. With --remind or --remind-start, --interval and --times repeat the
reminder: every so many minutes, n times in all (-1 or left out: without end). Without them they repeat the event itself.
repeat off: only the first time of the event and of its reminder counts. An hour that a clock change leaves out moves with the change.`,
  files: {
    list: '/files list [folder] [--page n]',
    read: '/files read <path> [--line n]',
    write: '/files write <path> <text>',
    append: '/files append <path> <text>',
    replace: '/files replace <path> "<old passage>" "<new passage>"',
    delete: '/files delete <path>',
  },
  filesNotes: `The text of write and append is all that follows the path, line ends too; quotes around the whole of it are left out. What is appended
begins on a new line. The old passage must be in the file exactly once. Or as JSON: {"command": "replace", "path", "old", "new"},
{"command": "write", "path", "text"}.`,
  tool: '/tool <name> <input>',
  tools: '/tools [page]',
  namedPlans: {
    create: '/plan create <plan_id> [--title text] --steps "step" "step" …',
    update: '/plan update <plan_id> [--title text] [--steps "step" "step" …]',
    list: '/plan list',
    get: '/plan get <plan_id>',
    activate: '/plan activate <plan_id>',
    mark: '/plan mark <plan_id> <number> <not_started|in_progress|completed|blocked> [--notes text]',
    delete: '/plan delete <plan_id>',
  },
  /** The forms of `/plan` that change the plan of the current task. */
  planEdit: {
    add: '/plan add <step>',
    drop: '/plan drop <number> (or delete)',
    move: '/plan move <number> <to number>',
    mark: '/plan mark <number> <not_started|in_progress|completed|blocked|dropped>',
  },
};
