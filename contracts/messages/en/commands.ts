import type { PlanItemStatus } from '../../plan.ts';
import type { Phase, TaskState } from '../../task.ts';

/** What the slash commands about the session report, and `/help`. */
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
