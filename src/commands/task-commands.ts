import { type PlanItem, PlanItemStatus } from '../../contracts/answer.ts';
import type { PlanEdit } from '../../contracts/event.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import { pendingAction } from '../../machines/approvals.ts';
import { currentItem } from '../../machines/plan-items.ts';
import { noQueries } from '../lib/queries.ts';
import { earlierItems, itemCounts, planMark } from '../projections/items.ts';
import { phaseOf, taskView } from '../projections/task-view.ts';
import { planningMessages } from '../tools/planning/messages.ts';
import type { TransactionalTool } from '../tools/port.ts';
import type { Command, CommandCall } from './commands.ts';

const line = (item: PlanItem, number: number, language: Language): string => {
  const dependsOn = item.depends_on.length > 0 ? messages(language).commands.dependsOn(item.depends_on) : '';
  return `${number}. ${planMark(item.status)} ${item.step}${dependsOn}`;
};

const showTaskPlan = ({ task, language }: CommandCall): string => {
  const texts = messages(language).commands;
  if (task === null) return texts.noTaskYet;
  const { plan_items, last_ask_user_question } = task.context;
  const { done, total } = itemCounts(task.context);
  const past = earlierItems(task.context).map((item) => `-  ${planMark(item.status)} ${item.step}`);
  return [
    texts.plan(task.context.goal, done, total),
    ...past,
    ...plan_items.map((item, i) => line(item, i + 1, language)),
    ...(pendingAction(task.context) === null ? [] : [texts.waitsForAnswer(last_ask_user_question ?? '')]),
  ].join('\n');
};

/**
 * Creates `/plan`: alone it shows the task's plan; other forms are the planning tool's. Forms that change the task's
 * plan are handled elsewhere (SPEC 2).
 */
export const createPlanCommand = (planning: TransactionalTool) =>
  ({
    name: 'plan',
    help: (language) => {
      const { summaries } = messages(language).commands;
      const { usage, run } = planningMessages(language);
      const forms = [...Object.values(usage), run.usage];
      return { summary: summaries.plan, usage: ['/plan [show]', ...forms].join('\n') };
    },
    *run(rest, call) {
      if (/^(show)?$/i.test(rest.trim())) return { ok: true, result: showTaskPlan(call) };
      return yield* planning.run(`/plan ${rest}`, call);
    },
  }) satisfies Command;

const showStatus = ({ task, queued, language }: CommandCall): string => {
  const { commands: texts, progress } = messages(language);
  if (task === null) return texts.noTaskYet;
  const { state, context } = task;
  const { done, total } = itemCounts(context);
  const phase = phaseOf(task);
  const item = phase === 'done' ? null : currentItem(context);
  const { cost } = taskView(task);
  const { task_id, goal, step_count, step_limit, last_ask_user_question, pause_reason } = context;
  return [
    texts.task(task_id, goal),
    texts.status(state, phase, done, total, step_count, step_limit),
    ...(item === null ? [] : [texts.currentItem(item.step)]),
    ...(state === 'awaiting_user' ? [texts.waitsForAnswer(last_ask_user_question ?? '')] : []),
    ...(pause_reason === null ? [] : [texts.paused(progress.pause[pause_reason])]),
    ...(cost === undefined ? [] : [texts.cost(cost.amount, cost.currency)]),
    ...(queued === 0 ? [] : [texts.queued(queued)]),
  ].join('\n');
};

/** `/status`: the state of the session's task. Changes nothing. */
export const statusCommand: Command = {
  name: 'status',
  help: (language) => ({ summary: messages(language).commands.summaries.status, usage: '/status' }),
  run: (_, call) => noQueries(() => ({ ok: true, result: showStatus(call) })),
};

const usageIn = (language: Language): string => {
  const { commandLine, usage } = messages(language);
  return [commandLine.usage, ...Object.values(usage.planEdit).map((line) => `  ${line}`)].join('\n');
};

const indexOf = (word: string | undefined): number | null =>
  word !== undefined && /^[1-9]\d{0,3}$/.test(word) ? Number(word) - 1 : null;

/**
 * Parses the forms of `/plan` that change the current task's plan, with items numbered from 1. An error contains the
 * usage. Never guesses.
 */
export const parsePlanEdit = (rest: string, language: Language): { edit: PlanEdit } | { error: string } => {
  const unreadable = { error: usageIn(language) };
  const [form = ''] = /^\S*/.exec(rest.trim()) ?? [];
  const text = rest.trim().slice(form.length);
  const words = text.trim().split(/\s+/);
  const first = indexOf(words[0]);
  switch (form.toLowerCase()) {
    case 'add':
      return text.trim() === '' ? unreadable : { edit: { kind: 'add', step: text.trim() } };
    case 'drop':
    case 'delete':
      return first === null || words.length > 1 ? unreadable : { edit: { kind: 'drop', index: first } };
    case 'move': {
      const to = indexOf(words[1]);
      return first === null || to === null ? unreadable : { edit: { kind: 'move', from: first, to } };
    }
    case 'mark': {
      const status = PlanItemStatus.safeParse(words[1]);
      if (first === null || !status.success) return unreadable;
      return { edit: { kind: 'mark', index: first, status: status.data } };
    }
    default:
      return unreadable;
  }
};
