import type { NamedPlan, NamedPlanProgress, NamedPlanSummary, NamedStepStatus } from '../../../contracts/named-plan.ts';
import { say } from '../command-line.ts';
import type { ToolCall } from '../port.ts';

type Language = ToolCall['language'];

/** The marks of steps in the order in which they are counted (SPEC 10). */
const marks: Record<NamedStepStatus, string> = {
  completed: '[✓]',
  in_progress: '[→]',
  blocked: '[!]',
  not_started: '[ ]',
};
const STATUSES = Object.keys(marks) as NamedStepStatus[];

const share = ({ completed, total, percent }: NamedPlanProgress, language: Language): string =>
  say(
    language,
    `${completed}/${total} steps completed (${percent.toFixed(1)}%)`,
    `已完成 ${completed}/${total} 步（${percent.toFixed(1)}%）`,
  );

/** A named plan for people and models: its heading, its counts, and its steps numbered from 1. */
export const formatPlan = ({ plan_id, title, active, progress, steps }: NamedPlan, language: Language): string => {
  const state = active ? say(language, ', active', '，当前') : '';
  const lines = steps.flatMap(({ step, status, notes }, index) => [
    `${index + 1}. ${marks[status]} ${step}`,
    ...(notes === null ? [] : [`   ${say(language, 'Notes:', '备注：')} ${notes}`]),
  ]);
  return [
    say(language, `Plan: ${title} (ID: ${plan_id}${state})`, `计划：${title}（ID：${plan_id}${state}）`),
    `${say(language, 'Progress: ', '进度：')}${share(progress, language)}`,
    STATUSES.map((status) => `${marks[status]} ${progress[status]}`).join('  '),
    ...lines,
  ].join('\n');
};

/** A session's named plans, one a line; the active one has a star. */
export const formatPlans = (plans: NamedPlanSummary[], language: Language): string => {
  if (plans.length === 0) return say(language, 'No plans.', '没有计划。');
  const lines = plans.map(
    ({ plan_id, title, active, progress }) =>
      `${active ? '*' : ' '} ${plan_id}: ${title}, ${share(progress, language)}`,
  );
  return [`${say(language, 'Plans', '计划')} (${plans.length})`, ...lines].join('\n');
};
