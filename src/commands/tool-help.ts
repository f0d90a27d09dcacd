import type { Language } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { Tool } from '../tools/port.ts';
import type { CommandHelp } from './port.ts';

/** What a tool does and its command lines, in the user's language where the tool is built in and has them. */
export const toolHelp = (
  { name, description, usage, origin }: Pick<Tool, 'name' | 'description' | 'usage' | 'origin'>,
  language: Language,
): CommandHelp => {
  const texts = messages(language);
  const own = { summary: description, usage };
  if (origin !== undefined && origin.kind !== 'built_in') return own;
  switch (name) {
    case 'todo':
    case 'view':
      return { summary: texts.commands.summaries[name], usage: Object.values(texts.usage[name]).join('\n') };
    case 'schedule':
    case 'files':
      return {
        summary: texts.commands.summaries[name],
        usage: [...Object.values(texts.usage[name]), texts.usage[`${name}Notes`]].join('\n'),
      };
    case 'internet_search':
      return { summary: texts.commands.summaries[name], usage: texts.search.usage };
    case 'coding_agent':
      return { summary: texts.commands.summaries[name], usage: texts.codingAgent.usage };
    case 'planning': {
      // The form as JSON is the last line, and the same in every language.
      const forms = [...Object.values(texts.usage.namedPlans), usage.slice(usage.lastIndexOf('\n') + 1)];
      return { summary: texts.commands.summaries[name], usage: forms.join('\n') };
    }
    default:
      return own;
  }
};
