import type { Asking } from '../../owner-data/port.ts';
import { answerSubcommand, readArguments, type Word } from '../command-line.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { addEvent, switchRepetition, updateEvent } from './change-schedule.ts';
import { deleteEvent, getEvent } from './one-event.ts';
import { scheduleOptions } from './schedule-options.ts';
import { listEvents, viewEvents } from './show-schedule.ts';

const OPTIONS = '[--duration min=60] [--remind when] [--interval min] [--times n|-1] [--remind-start when]';
const usage = {
  add: `/schedule add <when> <title> ${OPTIONS}`,
  list: '/schedule list',
  get: '/schedule get <id>',
  view: '/schedule view <day|week|month> [date]',
  update: `/schedule update <id> [when] [title] ${OPTIONS}`,
  repeat: '/schedule repeat <id> <on|off>',
  delete: '/schedule delete <id>',
} as const;
type Subcommand = keyof typeof usage;

const NOTES = `<when> is a time in figures or words ("2026-12-01 09:30", "tomorrow 3pm", 明天下午三点), and may repeat: "every Monday 9am", 每周一上午九点.
--remind comes once, or before each time of an event that repeats. With --remind or --remind-start, --interval and --times repeat the
reminder: every so many minutes, n times in all (-1 or left out: without end). Without them they repeat the event itself.
repeat off: only the first time of the event and of its reminder counts. An hour that a clock change leaves out moves with the change.`;
const USAGE = `${Object.values(usage).join('\n')}\n${NOTES}`;

function runSubcommand(subcommand: Subcommand, words: Word[], call: ToolCall): Asking<string> {
  const changes = subcommand === 'add' || subcommand === 'update';
  const given = readArguments(words, changes ? scheduleOptions : {}, call.language);
  switch (subcommand) {
    case 'add':
      return addEvent(given, call);
    case 'update':
      return updateEvent(given, call);
    case 'repeat':
      return switchRepetition(given.words, call);
    case 'list':
      return listEvents(given.words, call);
    case 'view':
      return viewEvents(given.words, call);
    case 'get':
      return getEvent(given.words, call);
    case 'delete':
      return deleteEvent(given.words, call);
    default:
      return subcommand satisfies never;
  }
}

/** The `schedule` tool, which is the `/schedule` command too (SPEC 8). It changes the caller's own events only. */
export const scheduleTool: TransactionalTool = {
  name: 'schedule',
  description:
    "The user's calendar: add, show, change and delete events, with repetition and reminders; overlaps are reported.",
  usage: USAGE,
  writes: true,
  effect: 'transactional',
  run: (input, call) =>
    answerSubcommand(input, { name: 'schedule', usage: USAGE }, usage, call.language, (subcommand, words) =>
      runSubcommand(subcommand, words, call),
    ),
};
