import { z } from 'zod';
import { rule } from '../../../contracts/answer.ts';
import {
  CreateNamedPlan,
  type NamedPlan,
  NamedPlanId,
  type NamedPlanProgress,
  type NamedPlanSummary,
  NamedStepNotes,
  NamedStepStatus,
  UpdateNamedPlan,
} from '../../../contracts/named-plan.ts';
import { isBlank, type Language } from '../../../contracts/text.ts';
import type { Queries } from '../../lib/queries.ts';
import {
  afterName,
  answerCommand,
  answerSubcommand,
  checkedInput,
  type OptionRule,
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
import { namedPlans, PlanRefused } from './named-plans.ts';

const withoutBlanks = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => !isBlank(value)))
    : given;

/**
 * A call of the planning tool in OpenManus's format. `step_index` counts from 0; blank fields count as absent, unknown
 * keys are dropped.
 */
const PlanningInput = z.preprocess(
  withoutBlanks,
  z.discriminatedUnion('command', [
    z.object({ command: z.literal('create'), ...CreateNamedPlan.shape }),
    z
      .object({ command: z.literal('update'), plan_id: NamedPlanId, ...UpdateNamedPlan.shape })
      .refine(({ title, steps }) => title !== undefined || steps !== undefined, rule('oneOf', 'title', 'steps')),
    z.object({ command: z.literal('list') }),
    z.object({ command: z.literal('get'), plan_id: NamedPlanId.optional() }),
    z.object({ command: z.literal('set_active'), plan_id: NamedPlanId }),
    z
      .object({
        command: z.literal('mark_step'),
        plan_id: NamedPlanId.optional(),
        step_index: z.number().int().min(0),
        step_status: NamedStepStatus.optional(),
        step_notes: NamedStepNotes.optional(),
      })
      .refine(
        ({ step_status, step_notes }) => step_status !== undefined || step_notes !== undefined,
        rule('oneOf', 'step_status', 'step_notes'),
      ),
    z.object({ command: z.literal('delete'), plan_id: NamedPlanId }),
  ]),
);
type PlanningInput = z.infer<typeof PlanningInput>;

type Command = PlanningInput['command'];

/** The commands, by every name that they have here or had in OpenManus. */
const commands = {
  create: 'create',
  update: 'update',
  list: 'list',
  get: 'get',
  show: 'get',
  activate: 'set_active',
  set_active: 'set_active',
  mark: 'mark_step',
  mark_step: 'mark_step',
  delete: 'delete',
} as const satisfies Record<string, Command>;

/** Larger than any number of steps, so that the plan itself reports its size. */
const NUMBER_MAX = 1_000_000;

const words = { value: 'words' } as const;
const optionsOf: Partial<Record<Command, Record<string, OptionRule>>> = {
  create: { title: words, steps: words },
  update: { title: words, steps: words },
  mark_step: { notes: words },
};

/** Reads the words after a command's name. Steps count from 1 on a command line, from 0 in JSON. */
const readLine = (command: Command, line: Word[], language: Language): PlanningInput => {
  const { words: own, options } = readArguments(line, optionsOf[command] ?? {}, language);
  const textIn = (name: string): string | undefined => options.get(name)?.map(textOf)[0];
  const input: Record<string, unknown> = { command, title: textIn('title'), step_notes: textIn('notes') };
  input['steps'] = options.get('steps')?.[0]?.map((word) => textOf([word]));
  const isOfActive = command === 'mark_step' && /^\d+$/.test(own[0]?.text ?? '');
  if (command !== 'list' && !isOfActive) input['plan_id'] = own.shift()?.text;
  if (command === 'mark_step') {
    const [number, status] = own.splice(0, 2);
    const { stepNumber } = planningMessages(language);
    if (number !== undefined) input['step_index'] = readInteger(number.text, stepNumber, 1, NUMBER_MAX, language) - 1;
    input['step_status'] = status?.text;
  }
  refuseMore(own, language);
  return checkedInput(PlanningInput, input, language);
};

/** The marks of steps, in the order in which they are counted (SPEC 10). */
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

const formatPlans = (plans: NamedPlanSummary[], language: Language): string => {
  if (plans.length === 0) return planningMessages(language).emptyList;
  const lines = plans.map(
    ({ plan_id, title, active, progress }) =>
      `${active ? '*' : ' '} ${plan_id}: ${title}, ${share(progress, language)}`,
  );
  return [planningMessages(language).list(plans.length), ...lines].join('\n');
};

const JSON_FORM =
  '{"command": "create|update|list|get|set_active|mark_step|delete", "plan_id", "title", "steps": [...], ' +
  '"step_index" (from 0), "step_status", "step_notes"}';

function* perform(input: PlanningInput, call: ToolCall): Queries<string> {
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
      const mark = { status: input.step_status, notes: input.step_notes };
      const plan = yield* namedPlans.mark(call, input.plan_id, input.step_index, mark, now);
      return text.marked(formatPlan(plan, language));
    }
    case 'delete':
      yield* namedPlans.remove(call, input.plan_id);
      return text.deleted(input.plan_id);
    default:
      return command satisfies never;
  }
}

function* carryOut(input: PlanningInput, call: ToolCall): Queries<string> {
  try {
    return yield* perform(input, call);
  } catch (error) {
    if (!(error instanceof PlanRefused)) throw error;
    const planId = 'plan_id' in input ? (input.plan_id ?? '') : '';
    throw new UsageError(planningMessages(call.language).refused[error.reason](planId));
  }
}

/**
 * The `planning` tool, also `/plan` for named plans (SPEC 8, 10): a command line or OpenManus's JSON object. Never
 * changes the plan of a task.
 */
export const planningTool: TransactionalTool = {
  name: 'planning',
  ...toolTexts((language) => {
    const { summary, usage } = planningMessages(language);
    return { summary, usage: [...Object.values(usage), JSON_FORM].join('\n') };
  }),
  writes: true,
  effect: 'transactional',
  run: (input, call) => {
    const { language } = call;
    const line = afterName(afterName(input, 'planning'), 'plan');
    if (line.trimStart().startsWith('{'))
      return answerCommand(JSON_FORM, language, () => carryOut(readJson(PlanningInput, line, language), call));
    const { usage } = planningMessages(language);
    const usages = Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, usage[command]]));
    return answerSubcommand(line, 'plan', usages as Record<keyof typeof commands, string>, language, (name, rest) =>
      carryOut(readLine(commands[name], rest, language), call),
    );
  },
};
