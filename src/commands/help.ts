import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import type { Command } from './port.ts';

/** The list of all slash commands with their forms. */
export const helpText = (commands: Command[], language: Language): string => {
  const texts = messages(language).commands;
  const forms = commands.map(({ name, help }) => {
    const { summary, usage } = help(language);
    return [`/${name} — ${summary}`, ...usage.split('\n').map((line) => `    ${line}`)].join('\n');
  });
  return [texts.help, ...forms, ...texts.controls].join('\n');
};
