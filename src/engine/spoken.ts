import type { Messages } from '../../contracts/messages/messages.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { languageOf } from '../../machines/language.ts';

/** The messages about control commands, in the language of the input. */
export const phrase = (input: string): Messages['controls'] => messages(languageOf(input)).controls;
