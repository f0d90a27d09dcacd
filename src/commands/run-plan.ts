import type { PlanItemAnswer } from '../../contracts/answer.ts';
import { STEP_CHARS_MAX } from '../../contracts/limits.ts';
import type { PlanRun } from '../../contracts/named-plan.ts';
import type { Metadata } from '../../contracts/task.ts';
import { type Language, plainLine } from '../../contracts/text.ts';
import { executorTag } from '../../machines/plan-items.ts';
import type { Queries } from '../lib/queries.ts';
import { splitPairs, takeWord, UsageError } from '../tools/command-line.ts';
import { planningMessages } from '../tools/planning/messages.ts';
import { namedPlans, PlanRefused, type PlanScope } from '../tools/planning/named-plans.ts';
import { filled, placeholdersIn } from '../tools/planning/plan-template.ts';

/** The task that a named plan becomes. */
export interface RunnablePlan {
  goal: string;
  plan: PlanItemAnswer[];
}

/** A named plan that cannot run: no plan has that name, or a placeholder or value is at fault, named in `errors`. */
export class PlanRunRefused extends Error {
  override name = 'PlanRunRefused';
  readonly errors: { path: string; message: string }[];

  constructor(message: string, errors: PlanRunRefused['errors'] = []) {
    super(message);
    this.errors = errors;
  }
}

/** Parses what stands behind `/plan run`: a plan's name, and values as `key=value`. Throws `PlanRunRefused`. */
export const parsePlanRun = (rest: string, language: Language): PlanRun => {
  try {
    const { word, rest: values } = takeWord(rest, language);
    if (word === undefined) throw new UsageError(planningMessages(language).run.usage);
    return { plan_id: word.text, values: Object.fromEntries(splitPairs(values, language)) };
  } catch (error) {
    if (error instanceof UsageError) throw new PlanRunRefused(error.message);
    throw error;
  }
};

/** A value as one line of text; blank for what is no text, number or boolean. */
const valueText = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? plainLine(String(value)) : '';

/** An item for a filled step. Its executor is that of the template: a value chooses none. */
const itemOf = (template: string, step: string, index: number): PlanItemAnswer => ({
  id: String(index + 1),
  step,
  executor: executorTag(template) ?? 'default',
});

/**
 * A named plan with its placeholders filled, from the given values and else the turn's metadata. Runs all of its steps,
 * whatever their marks, and changes none. Throws `PlanRunRefused`.
 */
export function* runnablePlan(
  { plan_id, values }: PlanRun,
  { metadata, language, ...scope }: PlanScope & { metadata: Metadata; language: Language },
): Queries<RunnablePlan> {
  const { run: texts, refused } = planningMessages(language);
  const { title, steps } = yield* found(scope, plan_id, refused.unknown(plan_id));
  const templates = steps.map(({ step }) => step);
  const names = placeholdersIn(title, ...templates);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const message = texts.noPlaceholder(plan_id, unknown, names);
    throw new PlanRunRefused(message, [{ path: `values.${unknown}`, message }]);
  }
  const given: Metadata = { ...metadata, ...values };
  const texted = new Map(names.map((name) => [name, Object.hasOwn(given, name) ? valueText(given[name]) : '']));
  const missing = names.filter((name) => texted.get(name) === '');
  if (missing.length > 0)
    throw new PlanRunRefused(
      texts.missing(plan_id, missing),
      missing.map((name) => ({ path: `values.${name}`, message: texts.noValue })),
    );
  const written = templates.map((template) => filled(template, texted));
  const long = written.findIndex((step) => step.length > STEP_CHARS_MAX);
  if (long !== -1) throw new PlanRunRefused(texts.tooLong(long + 1, STEP_CHARS_MAX));
  return { goal: filled(title, texted), plan: written.map((step, i) => itemOf(templates[i]!, step, i)) };
}

function* found(scope: PlanScope, planId: string, unknown: string): ReturnType<typeof namedPlans.get> {
  try {
    return yield* namedPlans.get(scope, planId);
  } catch (error) {
    if (error instanceof PlanRefused) throw new PlanRunRefused(unknown, [{ path: 'plan_id', message: unknown }]);
    throw error;
  }
}
