import type { PlanAnswer, PlanItem } from '../../../contracts/answer.ts';
import { PLAN_ITEMS_READ_MAX, STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { cutText } from '../../../contracts/text.ts';
import type { ModelRequest } from '../port.ts';
import type { Request } from './request.ts';
import { splitParts } from './split-parts.ts';
import { understand } from './understand.ts';

/** One request as a plan item, under an id that is the same whenever the text is read again. */
export interface Part {
  id: string;
  step: string;
}

/** What steps that say the same have in common, and are one by: the machine takes an item that repeats a completed one as done (SPEC 3). */
export const sameness = (step: string): string => step.toLowerCase();

/** The parts of a text as plan items, whether or not they are requests for a tool here. */
const partsIn = (text: string, idPrefix: string): Part[] => {
  const steps = new Map<string, string>();
  for (const part of splitParts(text)) {
    const step = cutText(part, STEP_CHARS_MAX);
    if (!steps.has(sameness(step))) steps.set(sameness(step), step);
  }
  return [...steps.values()].map((step, i) => ({ id: `${idPrefix}-${i + 1}`, step }));
};

const haveRequest = (parts: Part[]): boolean => parts.some(({ step }) => understand(step) !== null);

/** The requests that a text makes as plan items, or none when it contains no request for a tool here. */
export const partsOf = (text: string, idPrefix: string): Part[] => {
  const parts = partsIn(text, idPrefix);
  return haveRequest(parts) ? parts : [];
};

/** What an item asks for: its step read as a request, or handed on whole where the coding agent is to do it. */
export const requestOf = ({ step, executor }: Pick<PlanItem, 'step' | 'executor'>): Request | null =>
  executor === 'coding_agent' ? { kind: 'code', text: step.replace(/^\[[\w-]+\]\s*/, '') } : understand(step);

const GOAL = 'part';

/** The goal's own parts. */
export const goalParts = (goal: string): Part[] => partsOf(goal, GOAL);

/** Those of them that are not known, by their ids: the plan's limit cut them off, and replan takes them up. */
export const unknownGoalParts = (goal: string, isKnown: (id: string) => boolean): Part[] => {
  const parts = partsIn(goal, GOAL);
  const unknown = parts.filter(({ id }) => !isKnown(id));
  return unknown.length > 0 && haveRequest(parts) ? unknown : [];
};

/** The plan: an item for each request in the goal, in the user's words; empty when the offline model can't help. */
export const plan = ({ task }: ModelRequest): PlanAnswer => ({
  status: 'planned',
  goal: undefined,
  plan: goalParts(task.goal).slice(0, PLAN_ITEMS_READ_MAX),
});
