import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import type { Language } from '../../../contracts/text.ts';
import type { Asking } from '../../store/questions.ts';
import { answerSubcommand, readArguments, type Word } from '../command-line.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { addEvent, deleteEvents, scheduleOptions, switchRepetition, updateEvent } from './change-schedule.ts';
import { getEvent, listEvents, viewEvents } from './show-schedule.ts';

type Subcommand = keyof Messages['usage']['schedule'];

const usageIn = (language: Language): string => {
  const { schedule, scheduleNotes } = messages(language).usage;
  return [...Object.values(schedule), scheduleNotes].join('\n');
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
  description: messages('en').commands.summaries.schedule,
  usage: usageIn('en'),
  help: (language) => ({ summary: messages(language).commands.summaries.schedule, usage: usageIn(language) }),
  isCommand: true,
  writes: true,
  effect: 'transactional',
  run: (input, call) =>
    answerSubcommand(
      input,
      'schedule',
      messages(call.language).usage.schedule,
      call.language,
      (subcommand, words) => runSubcommand(subcommand, words, call),
      usageIn(call.language),
    ),
};
