import {
  type NamedPlan,
  type NamedPlanProgress,
  type NamedPlanSummary,
  type NamedStepStatus,
  PlanningInput,
} from '../../../contracts/named-plan.ts';
import type { Language } from '../../../contracts/text.ts';
import type { Asking } from '../../store/questions.ts';
import {
  answerCommand,
  answerSubcommand,
  checkedInput,
  readArguments,
  readInteger,
  readJson,
  refuseMore,
  textOf,
  toolTexts,
  UsageError,
  type Word,
} from '../command-line.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { planningMessages } from './messages.ts';
import { namedPlans } from './named-plans.ts';
import { PlanRefused } from './port.ts';

type Subcommand = keyof ReturnType<typeof planningMessages>['usage'];

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
  if (needsPlan && planId === undefined) throw new UsageError(planningMessages(language).missingPlanId);
  const named = planId === undefined ? {} : { plan_id: planId };
  if (subcommand === 'mark') {
    const [number, status] = given.words.splice(0, 2);
    refuseMore(given.words, language);
    if (number === undefined) throw new UsageError(planningMessages(language).missingStepNumber);
    const step_index = readInteger(number.text, planningMessages(language).stepNumber, 1, NUMBER_MAX, language) - 1;
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

/** The marks of steps in the order in which they are counted (SPEC 10). */
const marks: Record<NamedStepStatus, string> = {
  completed: '[✓]',
  in_progress: '[→]',
  blocked: '[!]',
  not_started: '[ ]',
};
const STATUSES = Object.keys(marks) as NamedStepStatus[];

const share = ({ completed, total, percent }: NamedPlanProgress, language: Language): string =>
  planningMessages(language).share(completed, total, percent.toFixed(1));

/** A named plan for people and models: its heading, its counts, and its steps numbered from 1. */
const formatPlan = ({ plan_id, title, active, progress, steps }: NamedPlan, language: Language): string => {
  const text = planningMessages(language);
  const lines = steps.flatMap(({ step, status, notes }, index) => [
    `${index + 1}. ${marks[status]} ${step}`,
    ...(notes === null ? [] : [`   ${text.notes(notes)}`]),
  ]);
  return [
    text.heading(title, plan_id, active),
    text.progress(share(progress, language)),
    STATUSES.map((status) => `${marks[status]} ${progress[status]}`).join('  '),
    ...lines,
  ].join('\n');
};

/** A session's named plans, one a line; the active one has a star. */
const formatPlans = (plans: NamedPlanSummary[], language: Language): string => {
  if (plans.length === 0) return planningMessages(language).emptyList;
  const lines = plans.map(
    ({ plan_id, title, active, progress }) =>
      `${active ? '*' : ' '} ${plan_id}: ${title}, ${share(progress, language)}`,
  );
  return [planningMessages(language).list(plans.length), ...lines].join('\n');
};

const JSON_FORM =
  '{"command": "create|update|list|get|set_active|mark_step|delete", "plan_id", "title", "steps": […], ' +
  '"step_index" (from 0), "step_status", "step_notes"}';
/** The command line of each subcommand, by every name that it has. */
const usageIn = (language: Language): Record<keyof typeof subcommands, string> => {
  const { usage } = planningMessages(language);
  return Object.fromEntries(
    Object.entries(subcommands).map(([name, subcommand]) => [name, usage[subcommand]]),
  ) as Record<keyof typeof subcommands, string>;
};

const refusal = ({ reason }: PlanRefused, input: PlanningInput, { language }: ToolCall): string =>
  planningMessages(language).refused[reason]('plan_id' in input ? (input.plan_id ?? '') : '');

function* perform(input: PlanningInput, call: ToolCall): Asking<string> {
  const { language, now } = call;
  const { command } = input;
  const text = planningMessages(language);
  switch (command) {
    case 'create':
      return text.created(formatPlan(yield* namedPlans.create(call, input, now), language));
    case 'update':
      return text.updated(formatPlan(yield* namedPlans.update(call, input.plan_id, input, now), language));
    case 'list':
      return formatPlans(yield* namedPlans.list(call), language);
    case 'get':
      return formatPlan(yield* namedPlans.get(call, input.plan_id), language);
    case 'set_active':
      return text.activated(formatPlan(yield* namedPlans.activate(call, input.plan_id), language));
    case 'mark_step': {
      const mark = {
        ...(input.step_status !== undefined && { status: input.step_status }),
        ...(input.step_notes !== undefined && { notes: input.step_notes }),
      };
      const plan = yield* namedPlans.mark(call, input.plan_id, input.step_index, mark, now);
      return text.marked(formatPlan(plan, language));
    }
    case 'delete':
      yield* namedPlans.delete(call, input.plan_id);
      return text.deleted(input.plan_id);
    default:
      return command satisfies never;
  }
}

function* carryOut(input: PlanningInput, call: ToolCall): Asking<string> {
  try {
    return yield* perform(input, call);
  } catch (error) {
    throw error instanceof PlanRefused ? new UsageError(refusal(error, input, call)) : error;
  }
}

const formsIn = (language: Language): string =>
  [...Object.values(planningMessages(language).usage), JSON_FORM].join('\n');

/** The `planning` tool, also `/plan` for named plans (SPEC 8, 10): a command line or the JSON object of OpenManus. Never changes the plan of a task. */
export const planningTool: TransactionalTool = {
  name: 'planning',
  ...toolTexts((language) => ({ summary: planningMessages(language).summary, usage: formsIn(language) })),
  writes: true,
  effect: 'transactional',
  run: (input, call) => {
    const { language } = call;
    const line = input.replace(/^\s*\/?(?:planning(?=\s|$)|plan(?=\s*\{))/i, '');
    if (line.trimStart().startsWith('{'))
      return answerCommand(
        () => JSON_FORM,
        language,
        () => carryOut(readJson(PlanningInput, line, language), call),
      );
    return answerSubcommand(line, 'plan', usageIn(language), language, (name, words) =>
      carryOut(readPlanningWords(subcommands[name], words, language), call),
    );
  },
};
