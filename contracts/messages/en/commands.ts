import type { PlanItemStatus } from '../../answer.ts';
import type { Phase, TaskState } from '../../task.ts';

/** Replies of the slash commands about the session, and `/help`. */
export const commands = {
  help: 'Commands:',
  unknown: (name: string) => `There is no command /${name}.`,
  summaries: {
    todo: "The user's todo list: add, find, change, finish and delete todos, with tags, priority, due times and reminders.",
    view: "Shows the user's todos by when they are due: all, today, overdue, upcoming (after today), inbox (not due).",
    schedule:
      "The user's calendar: add, show, change and delete events, with repetition and reminders; overlaps are reported.",
    files:
      'Text files of this session, in a folder of its own: list, read, write, append to, replace a passage of, delete.',
    planning:
      'Named plans that the session keeps as notes of their own, with a status for each step: create, update, list, get, activate, mark a step, delete. They are not the plan that you are working on.',
    coding_agent: 'Sends a command to a coding agent and waits for its report. It works on files of its own.',
    internet_search: 'Searches the web and gives the top 3 results as title, summary and url.',
    plan: 'the plan of the task of this session, and the plans that it keeps under names',
    tools: 'the tools that there are, with their usage',
    tool: 'calls a tool at once, without a task',
    status: 'the state of the task of this session',
  },
  controls: [
    '/continue — continue the paused task',
    '/resume [task_id] — continue a paused task of this session',
    '/cancel — cancel the running, waiting or last paused task',
    '/plan add|drop|move|mark … — change the plan of a task that waits or is paused',
    '/help — this list',
  ],
  tools: (count: number) => `Tools: ${count}`,
  noTools: 'There are no tools.',
  toolOrigin: {
    built_in: (_server: string) => 'built in',
    config: (_server: string) => 'from the configuration file',
    mcp: (server: string) => `from the MCP server ${server}`,
  },
  noSuchToolPage: (pages: number) => `The list of tools has the pages 1 to ${pages}.`,
  nextToolPage: (page: number, pages: number) => `(page ${page} of ${pages}; for the next one: /tools ${page + 1})`,
  noSuchTool: (name: string, names: string[]) => `There is no tool ${name}. The tools are: ${names.join(', ')}.`,
  toolFailed: (result: string) => `The tool failed: ${result}`,
  noTaskYet: 'This session has had no task yet.',
  plan: (goal: string, done: number, total: number) => `Plan: ${goal} (${done} of ${total} done)`,
  itemStatus: {
    not_started: 'not started',
    in_progress: 'in progress',
    completed: 'completed',
    blocked: 'blocked',
    dropped: 'dropped',
  } satisfies Record<PlanItemStatus, string>,
  dependsOn: (ids: string[]) => ` (after ${ids.join(', ')})`,
  task: (id: string, goal: string) => `Task ${id}: ${goal}`,
  status: (state: TaskState, phase: Phase, done: number, total: number, steps: number, limit: number) =>
    `${state} (${phase}), ${done} of ${total} items done, ${steps} of ${limit} steps used`,
  currentItem: (step: string) => `Current item: ${step}`,
  waitsForAnswer: (question: string) => `Waits for an answer: ${question}`,
  paused: (reason: string) => `Paused: ${reason}`,
  cost: (amount: string, currency: string) => `Cost so far: ${amount} ${currency}`,
  queued: (count: number) => `Inputs in the queue: ${count}`,
};

/** Replies of every command line, whatever its tool. */
export const commandLine = {
  usage: 'Usage:',
  unclosedQuote: (quote: string) => `The quote ${quote} is not closed.`,
  unknownOption: (name: string) => `Unknown option --${name}.`,
  missingValue: (name: string) => `--${name} needs a value.`,
  repeatedOption: (name: string) => `--${name} is given more than once.`,
  notInRange: (name: string, min: number, max: number, text: string) =>
    `${name} must be a whole number from ${min} to ${max}, not "${text}".`,
  missingId: 'The id is missing.',
  invalidId: (text: string) => `"${text}" is not an id: ids are numbers.`,
  tooManyIds: (max: number) => `A command takes at most ${max} ids: give the others in another one.`,
  unexpectedArgument: (text: string) => `Unexpected argument "${text}".`,
  missingSubcommand: 'The subcommand is missing.',
  unknownSubcommand: (command: string) => `Unknown command ${command}.`,
  nothingToChange: 'Nothing to change: give a new value or an option.',
  tooManyReminders: (max: number) => `There are ${max} reminders already: remove some first, with --remind none.`,
  more: (count: number) => `… and ${count} more`,
};

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

/** Texts of the commands in a terminal around a task's own. */
export const terminal = {
  approvalKeys:
    'y: run it · n: do not · always: run it, and do not ask for this tool again in this task · edit: change the input first',
  newInput: 'New input: ',
  cancelling: 'Cancelling the task; Ctrl-C again leaves at once',
  cost: (amount: string, currency: string) => `Cost: ${amount} ${currency}`,
  onService: (url: string) => `On the service at ${url}`,
  taskOf: (task: string, session: string) => `Task ${task}, session ${session}`,
  session: (session: string) => `Session ${session}`,
  answerWith: (run: string, chat: string) => `Answer with: ${run} "<answer>" (or talk: ${chat})`,
  goOnWith: (run: string, chat: string) => `Go on with: ${run} continue (or talk: ${chat})`,
  kept: (chat: string) => `The session is kept; come back with: ${chat}`,
  goesOn: (url: string) => `The task goes on in the service at ${url}`,
  goesOnLater: 'The task stops here, and goes on as soon as a service or a command runs on this data folder again',
};
