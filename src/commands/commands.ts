import type { Language } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TransactionalTool } from '../tools/port.ts';
import { helpText } from './help.ts';
import type { Command, CommandHelp, Commands } from './port.ts';

const toolHelp = ({ name, description, usage }: TransactionalTool, language: Language): CommandHelp => {
  const texts = messages(language);
  switch (name) {
    case 'todo':
    case 'view':
      return { summary: texts.commands.summaries[name], usage: Object.values(texts.usage[name]).join('\n') };
    case 'schedule':
      return {
        summary: texts.commands.summaries.schedule,
        usage: [...Object.values(texts.usage.schedule), texts.usage.scheduleNotes].join('\n'),
      };
    default:
      return { summary: description, usage };
  }
};

/** A tool of the owner as a slash command: the very same code (SPEC 8). */
export const commandOfTool = (tool: TransactionalTool): Command => ({
  name: tool.name,
  help: (language) => toolHelp(tool, language),
  *run(rest, call) {
    return (yield* tool.run(rest, call)).result;
  },
});

/** Gathers the slash commands; `/help` lists them all, and an unknown one is answered with the list. */
export const createCommands = (commands: Command[]): Commands => {
  const byName = new Map(commands.map((command) => [command.name, command]));
  return {
    *run(name, rest, call) {
      if (name === 'help') return helpText(commands, call.language);
      const command = byName.get(name);
      if (command !== undefined) return yield* command.run(rest, call);
      return `${messages(call.language).commands.unknown(name)}\n\n${helpText(commands, call.language)}`;
    },
  };
};
