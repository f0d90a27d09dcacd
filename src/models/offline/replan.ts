import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlanItem, ReplanAnswer } from '../../../contracts/answer.ts';
import { PLAN_ITEMS_READ_MAX } from '../../../contracts/limits.ts';
import { isYes } from '../../../machines/phrases.ts';
import { completedItems } from '../../../machines/plan-items.ts';
import type { ModelRequest } from '../port.ts';
import { workOn } from './carry-out.ts';
import { closingAnswer } from './closing-answer.ts';
import { type Part, partsOf, sameness, unknownGoalParts } from './plan.ts';
import { contextOf } from './think.ts';
import { progressOf } from './work.ts';

type Item = Exclude<ReplanAnswer['plan'][number], string>;

const stepsOf = (items: PlanItem[]): Set<string> => new Set(items.map(({ step }) => sameness(step)));

const idsOf = (...items: PlanItem[]): string[] => items.map(({ id }) => id);

/** The unchanged item, so that its observations stay its own; it waits only for what can still come. */
const kept = (item: PlanItem, coming: Set<string>): Item => ({
  ...item,
  depends_on: item.depends_on.filter((id) => coming.has(id)),
  expected: item.expected ?? undefined,
});

/** The questions about items whose answers their work used. Reads no item where the user answered none. */
const questionsUsed = async (model: ModelRequest): Promise<string[]> => {
  const { task } = model;
  if (!task.clarification_history.some(({ question }) => question !== null)) return [];
  const usedQuestions: string[] = [];
  for (const item of [...task.plan_items, ...task.past_items]) {
    const context = contextOf(model, item.step);
    usedQuestions.push(...progressOf(workOn(item, context), item, context).usedQuestions);
    await nextTurn();
  }
  return usedQuestions;
};

/** What the user said that answers no question about an item: a steer, or what should change in the plan. */
const remarks = async (model: ModelRequest): Promise<{ text: string; parts: Part[] }[]> => {
  const usedQuestions = await questionsUsed(model);
  const found: { text: string; parts: Part[] }[] = [];
  for (const [i, { question, text }] of model.task.clarification_history.entries()) {
    if ((question !== null && usedQuestions.includes(question)) || isYes(text)) continue;
    found.push({ text, parts: partsOf(text, `remark-${i + 1}`) });
    await nextTurn();
  }
  return found;
};

/**
 * The replan: what is left of the plan, what its limit had cut off, and what the user asked for since; else the answer that ends
 * the task. What is completed or given up is not planned again, so this ends. Reads a text at a time, and lets others work in between.
 */
export const replan = async (model: ModelRequest): Promise<ReplanAnswer> => {
  const { task } = model;
  const completed = completedItems(task);
  const completedSteps = stepsOf(completed);
  const left = task.plan_items.filter(
    ({ status, step }) => (status === 'not_started' || status === 'in_progress') && !completedSteps.has(sameness(step)),
  );
  const leftSteps = stepsOf(left);
  const said = await remarks(model);
  const known = new Set([...task.abandoned_items, ...idsOf(...task.past_items, ...task.plan_items)]);
  const cutOff = known.has('part-1') ? unknownGoalParts(task.goal, (id) => known.has(id)) : [];
  const fresh = [...cutOff, ...said.flatMap(({ parts }) => parts)].filter(
    ({ id, step }) => !known.has(id) && !completedSteps.has(sameness(step)) && !leftSteps.has(sameness(step)),
  );
  const coming = new Set(idsOf(...left, ...completed));
  const rest: Item[] = [...left.map((item) => kept(item, coming)), ...fresh].slice(0, PLAN_ITEMS_READ_MAX);
  if (rest.length > 0) return { status: 'replanned', plan: rest, response: null };
  const unused = said.filter(({ parts }) => parts.length === 0).map(({ text }) => text);
  return { status: 'done', plan: [], ...closingAnswer(task, unused) };
};
