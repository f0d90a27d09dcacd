import type { z } from 'zod';
import { checked } from '../../contracts/checked.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { type Language, plainLine } from '../../contracts/text.ts';
import { UsageError } from './command-line.ts';

/** Longest word of an input that is shown in its refusal, in characters. */
const WORD_SHOWN_MAX = 60;

/** The fault of an input, in a sentence for people: not in its schema's words. */
const refusalOf = (given: unknown, issue: z.core.$ZodIssue, language: Language): string => {
  const { namedPlans: texts, validation } = messages(language);
  const [name, ...below] = issue.path;
  const field = issue.path.join('.') || texts.wholeCommand;
  const value = name === undefined ? given : (given as Record<PropertyKey, unknown>)[name];
  if (value === undefined && below.length === 0) return texts.missingField(field);
  if (issue.code === 'invalid_type') return texts.wrongType(field, issue.expected);
  const isPlanId = issue.code === 'invalid_format' && name === 'plan_id';
  const isChoice = issue.code === 'invalid_value' || name === 'command';
  if (!isChoice) return texts.invalidField(field, isPlanId ? texts.invalidPlanId : validation.issue(issue));
  // Only a text is shown: what is nested deeply, or has a `toString` of its own, can not be made one.
  if (typeof value !== 'string') return texts.wrongType(field, 'string');
  const word = plainLine(value, WORD_SHOWN_MAX);
  return issue.code === 'invalid_value'
    ? texts.unknownStatus(word, issue.values.map(String))
    : texts.unknownCommand(word);
};

/** The input that a value is. Throws `UsageError` saying which field is wrong. */
export const checkedInput = <Input>(shape: z.ZodType<Input>, given: unknown, language: Language): Input => {
  const read = checked(shape, given);
  if (read.success) return read.data;
  throw new UsageError(refusalOf(given, read.error.issues[0] as z.core.$ZodIssue, language));
};

/** Reads a tool's input that is a JSON object. Throws `UsageError` saying which field is wrong. */
export const readJson = <Input>(shape: z.ZodType<Input>, input: string, language: Language): Input => {
  let given: unknown;
  try {
    given = JSON.parse(input);
  } catch {
    throw new UsageError(messages(language).namedPlans.invalidJson);
  }
  return checkedInput(shape, given, language);
};
