import type { TransactionalTool } from '../tools/port.ts';
import { helpText } from './help.ts';
import type { Command, Commands } from './port.ts';

/** A tool of the owner as a slash command: the very same code (SPEC 8). */
export const commandOfTool = (tool: TransactionalTool): Command => ({
  name: tool.name,
  summary: tool.description,
  usage: tool.usage,
  *run(rest, call) {
    return (yield* tool.run(rest, call)).result;
  },
});

/** Gathers the slash commands; `/help` tells them all, and an unknown one is answered with the list. */
export const createCommands = (commands: Command[]): Commands => {
  const byName = new Map(commands.map((command) => [command.name, command]));
  return {
    *run(name, rest, call) {
      if (name === 'help') return helpText(commands, call.language);
      const command = byName.get(name);
      if (command !== undefined) return yield* command.run(rest, call);
      const unknown = call.language === 'zh' ? `没有命令 /${name}。` : `There is no command /${name}.`;
      return `${unknown}\n\n${helpText(commands, call.language)}`;
    },
  };
};
