import { validation } from './messages/en/validation.ts';

/** Refers a schema's refinement to its text in the catalogue, so that its problem can be shown in every language. */
export const rule = (name: keyof typeof validation.rules) => ({
  error: validation.rules[name](),
  params: { rule: name },
});
