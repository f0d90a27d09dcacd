import type { Call } from '../../contracts/calls.ts';

/** Longest arguments that are shown of a call that can't be read, in characters. */
const UNREADABLE_CHARS_MAX = 1_000;

/** Arguments that came as JSON text; a text that is none is given back as it is, and the call is refused when it is due. */
export const parsedArguments = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
};

/** A call of a model's message, with arguments as its provider gave them: an object, or its JSON text. Never throws. */
export const callOf = (name: string, given: unknown): Call => {
  const input = typeof given === 'string' && given.trim() !== '' ? parsedArguments(given) : (given ?? {});
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { name, input: { ...input } };
  if (input === '') return { name, input: {} };
  const unreadable = typeof input === 'string' ? input : JSON.stringify(input);
  return { name, input: {}, unreadable: unreadable.slice(0, UNREADABLE_CHARS_MAX) };
};
