import { messages } from '../../../contracts/messages/messages.ts';
import type { NamedPlan, NamedPlanProgress, NamedPlanSummary, NamedStepStatus } from '../../../contracts/named-plan.ts';
import type { Language } from '../../../contracts/text.ts';

/** The marks of steps in the order in which they are counted (SPEC 10). */
const marks: Record<NamedStepStatus, string> = {
  completed: '[✓]',
  in_progress: '[→]',
  blocked: '[!]',
  not_started: '[ ]',
};
const STATUSES = Object.keys(marks) as NamedStepStatus[];

const share = ({ completed, total, percent }: NamedPlanProgress, language: Language): string =>
  messages(language).namedPlans.share(completed, total, percent.toFixed(1));

/** A named plan for people and models: its heading, its counts, and its steps numbered from 1. */
export const formatPlan = ({ plan_id, title, active, progress, steps }: NamedPlan, language: Language): string => {
  const text = messages(language).namedPlans;
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
export const formatPlans = (plans: NamedPlanSummary[], language: Language): string => {
  if (plans.length === 0) return messages(language).namedPlans.emptyList;
  const lines = plans.map(
    ({ plan_id, title, active, progress }) =>
      `${active ? '*' : ' '} ${plan_id}: ${title}, ${share(progress, language)}`,
  );
  return [messages(language).namedPlans.list(plans.length), ...lines].join('\n');
};
