import { z } from 'zod';
import type { Reader } from '../../contracts/event.ts';
import { PlanAnswer } from '../../contracts/plan.ts';
import { ReplanAnswer } from '../../contracts/replan.ts';
import { ThoughtAnswer } from '../../contracts/thought.ts';
import { contractReason } from './contract-reason.ts';
import { type FoundObject, findObject } from './find-object.ts';
import { listSteps } from './list-steps.ts';
import { type Mark, readMark } from './marks.ts';

/** What came of reading a model's text: the contract and which reader read it, or why it is refused, in short. */
export type Reading<Answer> = { ok: true; reader: Reader; answer: Answer } | { ok: false; reason: string };

/** A thought, with the mark or control object that stood for it, if one did: `replan` blocks the item (SPEC 5). */
export type ReadThought = ThoughtAnswer & { signal?: Mark };

const Control = z.strictObject({ control: z.enum(['step_done', 'replan']) });

/** Reads a plan; prose without an object may hold it as a list. Never throws. */
export function readPlan(text: string): Reading<PlanAnswer> {
  const found = findObject(text);
  if (found.kind !== 'prose') return readContract(PlanAnswer, found);
  const plan = listSteps(found.prose);
  if (plan.length === 0) return refused('the answer holds neither a JSON object nor a list of steps');
  return parse(PlanAnswer, 'signal', { status: 'planned', plan });
}

/** Reads a thought; a control object, or a mark that ends prose without an object, stands for `done`. Never throws. */
export function readThought(text: string): Reading<ReadThought> {
  const found = findObject(text);
  if (found.kind === 'prose') {
    const marked = readMark(found.prose);
    if (marked === null) return refused('the answer holds neither a JSON object nor a mark');
    return signalled(marked.mark, marked.before);
  }
  if (found.kind === 'object' && 'control' in found.object && !('status' in found.object)) {
    const control = Control.safeParse(found.object);
    if (!control.success) return refused('control: must be "step_done" or "replan", and the only key');
    return signalled(control.data.control, null);
  }
  return readContract(ThoughtAnswer, found);
}

/** Reads a replan, from an object only: it may end the task, so no mark or list stands for it. Never throws. */
export function readReplan(text: string): Reading<ReplanAnswer> {
  const found = findObject(text);
  return found.kind === 'prose' ? refused('the answer holds no JSON object') : readContract(ReplanAnswer, found);
}

function signalled(signal: Mark, response: string | null): Reading<ReadThought> {
  const thought = parse(ThoughtAnswer, 'signal', { status: 'done', response });
  if (!thought.ok) return thought;
  const outcome = signal === 'replan' ? { outcome: 'blocked' as const } : {};
  return { ...thought, answer: { ...thought.answer, ...outcome, signal } };
}

function readContract<Answer>(
  contract: z.ZodType<Answer>,
  found: Exclude<FoundObject, { kind: 'prose' }>,
): Reading<Answer> {
  return found.kind === 'refused' ? refused(found.reason) : parse(contract, found.reader, found.object);
}

function parse<Answer>(contract: z.ZodType<Answer>, reader: Reader, value: object): Reading<Answer> {
  const parsed = contract.safeParse(value);
  return parsed.success
    ? { ok: true, reader, answer: parsed.data }
    : { ok: false, reason: contractReason(parsed.error) };
}

const refused = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });
