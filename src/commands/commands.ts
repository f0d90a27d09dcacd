import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import type { Tool } from '../tools/port.ts';
import type { Command, Commands } from './port.ts';
import { runTool, toolHelp } from './tools.ts';

/** A tool as a slash command: the very same code (SPEC 8). */
export const commandOf = (tool: Tool): Command => ({
  name: tool.name,
  help: (language) => toolHelp(tool, language),
  run: (input, call) => runTool(tool, input, call),
});

/** The list of all slash commands with their forms. */
const helpText = (commands: Command[], language: Language): string => {
  const texts = messages(language).commands;
  const forms = commands.map(({ name, help }) => {
    const { summary, usage } = help(language);
    return [`/${name} — ${summary}`, ...usage.split('\n').map((line) => `    ${line}`)].join('\n');
  });
  return [texts.help, ...forms, ...texts.controls].join('\n');
};

/** Gathers the slash commands; `/help` lists them all, and an unknown one is answered with the list. */
export const createCommands = (commands: Command[]): Commands => {
  const byName = new Map(commands.map((command) => [command.name, command]));
  return {
    names: new Set([...byName.keys(), 'help']),
    *run(name, rest, call) {
      if (name === 'help') return { ok: true, result: helpText(commands, call.language) };
      const command = byName.get(name);
      if (command !== undefined) return yield* command.run(rest, call);
      const unknown = messages(call.language).commands.unknown(name);
      return { ok: false, result: `${unknown}\n\n${helpText(commands, call.language)}` };
    },
  };
};
