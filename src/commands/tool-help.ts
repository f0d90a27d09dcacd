import type { Language } from '../../contracts/text.ts';
import type { Tool } from '../tools/port.ts';
import type { CommandHelp } from './port.ts';

/** Describes a tool and its command lines, in the user's language where the tool has them in it. */
export const toolHelp = (
  { description: summary, usage, help }: Pick<Tool, 'description' | 'usage' | 'help'>,
  language: Language,
): CommandHelp => help?.(language) ?? { summary, usage };
