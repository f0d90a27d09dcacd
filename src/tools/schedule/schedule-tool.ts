import type { Language } from '../../../contracts/text.ts';
import type { Asking } from '../../store/questions.ts';
import { answerSubcommand, readArguments, type Word } from '../command-line.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { addEvent, deleteEvents, scheduleOptions, switchRepetition, updateEvent } from './change-schedule.ts';
import { scheduleMessages } from './messages.ts';
import { getEvent, listEvents, viewEvents } from './show-schedule.ts';

type Subcommand = keyof ReturnType<typeof scheduleMessages>['usage'];

const usageIn = (language: Language): string => {
  const { usage, usageNotes } = scheduleMessages(language);
  return [...Object.values(usage), usageNotes].join('\n');
};

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
      return deleteEvents(given.words, call);
    default:
      return subcommand satisfies never;
  }
}

/** The `schedule` tool, which is the `/schedule` command too (SPEC 8). It changes the caller's own events only. */
export const scheduleTool: TransactionalTool = {
  name: 'schedule',
  description: scheduleMessages('en').summary,
  usage: usageIn('en'),
  help: (language) => ({ summary: scheduleMessages(language).summary, usage: usageIn(language) }),
  isCommand: true,
  writes: true,
  effect: 'transactional',
  run: (input, call) =>
    answerSubcommand(
      input,
      'schedule',
      scheduleMessages(call.language).usage,
      call.language,
      (subcommand, words) => runSubcommand(subcommand, words, call),
      usageIn(call.language),
    ),
};
