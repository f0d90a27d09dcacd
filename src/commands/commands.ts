import { messages } from '../../contracts/messages/messages.ts';
import type { Tool } from '../tools/port.ts';
import { helpText } from './help.ts';
import type { Command, Commands } from './port.ts';
import { toolHelp } from './tool-help.ts';

/** A tool as a slash command: the very same code (SPEC 8). One outside the store runs as `/tool` with its name does. */
export const commandOf = (tool: Tool): Command => ({
  name: tool.name,
  help: (language) => toolHelp(tool, language),
  *run(input, call) {
    if (tool.effect === 'transactional') return (yield* tool.run(input, call)).result;
    const { language, timezone } = call;
    return { tool: tool.name, input, language, timezone };
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
