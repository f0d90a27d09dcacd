import type { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import { NamedStepStatus, PlanningInput } from '../../../contracts/named-plan.ts';
import { type Language, plainLine } from '../../../contracts/text.ts';
import { readArguments, readInteger, refuseMore, textOf, UsageError, type Word } from '../command-line.ts';

type Subcommand = keyof Messages['usage']['namedPlans'];

/** What a subcommand is called, by every name that it has here or had in OpenManus. */
export const subcommands = {
  create: 'create',
  update: 'update',
  list: 'list',
  get: 'get',
  show: 'get',
  activate: 'activate',
  set_active: 'activate',
  mark: 'mark',
  mark_step: 'mark',
  delete: 'delete',
} as const satisfies Record<string, Subcommand>;

/** More steps than any plan has, so that the plan itself says which it has. */
const NUMBER_MAX = 1_000_000;

/** Longest word of an input that is shown in its refusal, in characters. */
const WORD_SHOWN_MAX = 60;

const isMissing = (given: unknown, path: readonly PropertyKey[]): boolean =>
  path.length === 1 && (given as Record<PropertyKey, unknown>)[path[0]!] === undefined;

/** What is wrong with an input, in a sentence for people: not what its schema calls it. */
const refusalOf = (given: unknown, issue: z.core.$ZodIssue, language: Language): string => {
  const { namedPlans: texts, validation } = messages(language);
  const [name] = issue.path;
  const field = issue.path.join('.') || texts.wholeCommand;
  const value = (given as Record<PropertyKey, unknown>)[name!];
  // Only a text is shown: what is nested deeply, or has a `toString` of its own, can not be made one.
  const word = typeof value === 'string' ? plainLine(value, WORD_SHOWN_MAX) : null;
  if (isMissing(given, issue.path)) return texts.missingField(field);
  if (word === null && (name === 'command' || name === 'step_status')) return texts.wrongType(field, 'string');
  if (name === 'step_status' && issue.code === 'invalid_value')
    return texts.unknownStatus(word ?? '', NamedStepStatus.options);
  if (name === 'command') return texts.unknownCommand(word ?? '');
  if (issue.code === 'invalid_type') return texts.wrongType(field, issue.expected);
  const isPlanId = issue.code === 'invalid_format' && name === 'plan_id';
  return texts.invalidField(field, isPlanId ? texts.invalidPlanId : validation.issue(issue));
};

const check = (given: unknown, language: Language): PlanningInput => {
  const read = checked(PlanningInput, given);
  if (read.success) return read.data;
  throw new UsageError(refusalOf(given, read.error.issues[0] as z.core.$ZodIssue, language));
};

/** Reads the tool's input when it is a JSON object, as OpenManus gives it. Throws `UsageError` saying which field is wrong. */
export const readPlanningJson = (input: string, language: Language): PlanningInput => {
  let given: unknown;
  try {
    given = JSON.parse(input);
  } catch {
    throw new UsageError(messages(language).namedPlans.invalidJson);
  }
  return check(given, language);
};

const optionRules = { title: { value: 'words' }, steps: { value: 'words' }, notes: { value: 'words' } } as const;
const optionsOf: Record<Subcommand, readonly (keyof typeof optionRules)[]> = {
  create: ['title', 'steps'],
  update: ['title', 'steps'],
  list: [],
  get: [],
  activate: [],
  mark: ['notes'],
  delete: [],
};

const isNumber = (word: Word | undefined): boolean => word !== undefined && /^\d+$/.test(word.text);

/** Reads the words after a subcommand. Steps on a command line are counted from 1, in JSON from 0. */
export const readPlanningWords = (subcommand: Subcommand, words: Word[], language: Language): PlanningInput => {
  const allowed = optionsOf[subcommand].map((name) => [name, optionRules[name]] as const);
  const given = readArguments(words, Object.fromEntries(allowed), language);
  const option = (name: keyof typeof optionRules): string | undefined => {
    const value = given.options.get(name)?.[0];
    return value === undefined ? undefined : textOf(value);
  };
  const takesPlan = subcommand !== 'list' && !(subcommand === 'mark' && isNumber(given.words[0]));
  const planId = takesPlan ? given.words.shift()?.text : undefined;
  const needsPlan = takesPlan && subcommand !== 'get';
  if (needsPlan && planId === undefined) throw new UsageError(messages(language).namedPlans.missingPlanId);
  const named = planId === undefined ? {} : { plan_id: planId };
  if (subcommand === 'mark') {
    const [number, status] = given.words.splice(0, 2);
    refuseMore(given.words, language);
    if (number === undefined) throw new UsageError(messages(language).namedPlans.missingStepNumber);
    const step_index = readInteger(number.text, messages(language).namedPlans.stepNumber, 1, NUMBER_MAX, language) - 1;
    return check(
      { command: 'mark_step', ...named, step_index, step_status: status?.text, step_notes: option('notes') },
      language,
    );
  }
  refuseMore(given.words, language);
  const steps = given.options.get('steps')?.[0]?.map((word) => textOf([word]));
  const command = subcommand === 'activate' ? 'set_active' : subcommand;
  return check({ command, ...named, title: option('title'), steps }, language);
};
