import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import { PlanningInput } from '../../../contracts/named-plan.ts';
import type { Language } from '../../../contracts/text.ts';
import { readArguments, readInteger, refuseMore, textOf, UsageError, type Word } from '../command-line.ts';
import { checkedInput } from '../json-input.ts';

type Subcommand = keyof Messages['usage']['namedPlans'];

/** Names of the subcommands, by every name that they have here or had in OpenManus. */
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
    return checkedInput(
      PlanningInput,
      { command: 'mark_step', ...named, step_index, step_status: status?.text, step_notes: option('notes') },
      language,
    );
  }
  refuseMore(given.words, language);
  const steps = given.options.get('steps')?.[0]?.map((word) => textOf([word]));
  const command = subcommand === 'activate' ? 'set_active' : subcommand;
  return checkedInput(PlanningInput, { command, ...named, title: option('title'), steps }, language);
};
