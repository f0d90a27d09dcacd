import { messages } from '../../contracts/messages/messages.ts';
import { askNothing } from '../store/questions.ts';
import type { TransactionalTool } from '../tools/port.ts';
import type { ListedTool } from '../tools/registry.ts';
import { helpText } from './help.ts';
import type { Command, Commands } from './port.ts';
import { toolHelp } from './tool-help.ts';

/** A tool of the owner as a slash command: the very same code (SPEC 8). */
export const commandOfTool = (tool: TransactionalTool): Command => ({
  name: tool.name,
  help: (language) => toolHelp(tool, language),
  *run(rest, call) {
    return (yield* tool.run(rest, call)).result;
  },
});

/** A tool outside the store as a slash command: the same as `/tool` with its name. */
export const commandOfListed = (tool: ListedTool): Command => ({
  name: tool.name,
  help: (language) => toolHelp(tool, language),
  run: (input, { language, timezone }) => askNothing(() => ({ tool: tool.name, input, language, timezone })),
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
