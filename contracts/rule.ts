import { validation } from './messages/en/models.ts';

type Rules = typeof validation.rules;

/**
 * Refers a schema's refinement to its text in the catalogue, so that its problem can be shown in every language; `args` are what the text
 * names. `message` is the English text.
 */
export const rule = <Name extends keyof Rules>(name: Name, ...args: Parameters<Rules[Name]>) => {
  const message = (validation.rules[name] as (...given: string[]) => string)(...args);
  return { message, params: { rule: name, args } };
};
