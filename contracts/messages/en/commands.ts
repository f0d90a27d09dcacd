import type { PlanItemStatus } from '../../answer.ts';
import type { Phase, TaskState } from '../../task.ts';

/** Replies to the slash commands about the session, and `/help`. */
export const commands = {
  help: 'Commands:',
  unknown: (name: string) => `There is no command /${name}.`,
  summaries: {
    agents: 'the agents of this service',
    plan: "the plan of this session's task, and the session's named plans",
    tools: 'the available tools, with their usage',
    tool: 'calls a tool directly, without a task',
    status: "the state of this session's task",
  },
  controls: [
    '/continue — continue the paused task',
    '/resume [task_id] — continue a paused task of this session',
    '/cancel — cancel the running, waiting or last paused task',
    '/plan add|drop|move|mark … — change the plan of a task that waits or is paused',
    '/help — this list',
  ],
  tools: (count: number) => `Tools: ${count}`,
  agents: 'Agents. The first message of a session chooses one:',
  agentHere: 'works in this session',
  noTools: 'There are no tools.',
  toolOrigin: {
    built_in: (_server: string) => 'built in',
    config: (_server: string) => 'from the configuration file',
    mcp: (server: string) => `from the MCP server ${server}`,
    a2a: (_server: string) => 'an A2A agent',
  },
  forUsers: 'for users only',
  noSuchToolPage: (pages: number) => `The list of tools has pages 1 to ${pages}.`,
  nextToolPage: (page: number, pages: number) => `(page ${page} of ${pages}; for the next one: /tools ${page + 1})`,
  noSuchTool: (name: string, names: string[]) => `There is no tool ${name}. The tools are: ${names.join(', ')}.`,
  serverAway: (server: string, reason: string | null) =>
    reason === null
      ? `The MCP server ${server} is still connecting; its tools are there once it is connected.`
      : `The MCP server ${server} is not connected: ${reason}.`,
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

/** Replies of any command line, for all tools. */
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
  tooManyIds: (max: number) => `A command takes at most ${max} ids: give the rest in another command.`,
  unexpectedArgument: (text: string) => `Unexpected argument "${text}".`,
  missingSubcommand: 'The subcommand is missing.',
  unknownSubcommand: (command: string) => `Unknown command ${command}.`,
  nothingToChange: 'Nothing to change: give a new value or an option.',
  tooManyReminders: (max: number) => `There are ${max} reminders already: remove some first, with --remind none.`,
  more: (count: number) => `… and ${count} more`,
  wholeCommand: 'the command',
  invalidField: (field: string, problem: string) => `${field}: ${problem}.`,
  missingField: (field: string) => `${field} is missing.`,
  invalidJson: 'This is not valid JSON.',
  roundedNumber: 'This has a number with more digits than JSON keeps: write it as a string.',
};

/** The command lines of tools and slash commands. Usage errors and `/help` show them; models get the English ones. */
export const usage = {
  tool: '/tool <name> <input>',
  tools: '/tools [page]',
  /** The forms of `/plan` that change the current task's plan. */
  planEdit: {
    add: '/plan add <step>',
    drop: '/plan drop <number> (or delete)',
    move: '/plan move <number> <to number>',
    mark: '/plan mark <number> <not_started|in_progress|completed|blocked|dropped>',
  },
};

const orTalk = (chat: string | null): string => (chat === null ? '' : ` (or talk: ${chat})`);

/** Texts of terminal commands, beside those of tasks. */
export const terminal = {
  approvalKeys:
    'y: run it · n: do not run it · always: run it, and do not ask for this tool again in this task · edit: change the input first',
  newInput: 'New input: ',
  cancelling: 'Cancelling the task; Ctrl-C again leaves at once',
  cost: (amount: string, currency: string) => `Cost: ${amount} ${currency}`,
  scriptLeft: (answers: number, file: string) =>
    `${file} has ${answers} more ${answers === 1 ? 'answer' : 'answers'} for the rest of the task`,
  scriptUnused: (answers: number, file: string) =>
    `The task ended before it used the last ${answers === 1 ? 'answer' : `${answers} answers`} of ${file}`,
  onService: (url: string) => `On the service at ${url}`,
  taskOf: (task: string, session: string) => `Task ${task}, session ${session}`,
  session: (session: string) => `Session ${session}`,
  answerWith: (run: string, chat: string | null) => `Answer with: ${run} "<answer>"${orTalk(chat)}`,
  goOnWith: (run: string, chat: string | null) => `Go on with: ${run} continue${orTalk(chat)}`,
  kept: (chat: string) => `The session is kept; come back with: ${chat}`,
  goesOn: (url: string) => `The task goes on in the service at ${url}`,
  goesOnLater: 'The task stops here, and goes on as soon as a service or a command runs on this data folder again',
};
