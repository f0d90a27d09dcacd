import type { z } from 'zod';
import { PlanAnswer, ReplanAnswer, ThoughtAnswer } from '../../../contracts/answer.ts';
import type { AnswerContract } from '../../../contracts/calls.ts';
import type { Reader } from '../../../contracts/event.ts';
import { PLAN_ITEMS_READ_MAX, REASON_CHARS_MAX, REASON_ISSUES_MAX } from '../../../contracts/limits.ts';
import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { cutText, isBlank } from '../../../contracts/text.ts';
import type { CallUsage } from '../../../contracts/usage.ts';
import { itemsLeft } from '../../../machines/call-meaning.ts';
import { toolsRejection, withToolNames } from '../../../machines/item-tools.ts';
import { replanRejection, thoughtRejection } from '../../../machines/laws.ts';
import type { ModelEvent } from '../../../machines/pending-calls.ts';
import { planItems } from '../../../machines/plan-items.ts';
import { actionsAtOnce } from '../../../machines/side-by-side.ts';
import type { ModelReply } from '../port.ts';
import {
  type FoundObject,
  type FoundObjects,
  findObjects,
  isContractAttempt,
  isRecord,
  type Reason,
} from './find-objects.ts';
import { itemsOf, listedPlan, withPlanKey } from './plan-shapes.ts';
import { hasMark, hasWords, listSteps, type Mark, markedSteps, markNamed, readMark } from './signals.ts';

const notesOf = (planned: ReturnType<typeof planItems>): { notes?: string[] } =>
  planned.ok && planned.notes.length > 0 ? { notes: planned.notes } : {};

/** A rejected answer (SPEC 4). It counts, and nothing is asked again silently. */
export const rejectedAnswer = (
  contract: AnswerContract,
  effect: number,
  reason: string,
  usage: CallUsage | undefined,
): ModelEvent => ({
  type: `${contract}.rejected` as const,
  effect,
  reason: cutText(reason, REASON_CHARS_MAX),
  ...(usage !== undefined && { usage }),
});

/** Turns a model's text into the machine's event: made, or rejected with the reason (SPEC 4, 5). */
export const parseModelReply = (
  contract: AnswerContract,
  context: TaskContext,
  effect: number,
  { text, fault, usage }: Pick<ModelReply, 'text' | 'fault' | 'usage'>,
): ModelEvent => {
  if (fault !== 'none') return rejectedAnswer(contract, effect, messages(context.language).rejections[fault], usage);
  const read = contract === 'replan' ? readReplan(text, itemsLeft(context)) : READERS[contract](text);
  return eventOf(contract, context, effect, read, usage);
};

/** The same for an answer that came as an object. */
export const parseAnswerObject = (
  contract: AnswerContract,
  context: TaskContext,
  effect: number,
  answer: object,
  usage: CallUsage | undefined,
): ModelEvent => eventOf(contract, context, effect, parseContract(ANSWER_SCHEMAS[contract], 'native', answer), usage);

/** Why an answer that came as an object violates its contract, regardless of the task's state; null if it does not. */
export const contractFault = (contract: AnswerContract, { language }: TaskContext, answer: object): string | null => {
  const read = parseContract(ANSWER_SCHEMAS[contract], 'native', answer);
  return read.ok ? null : read.reason(messages(language));
};

/** The event of a parsed answer: made, if the task accepts it. */
const eventOf = (
  contract: AnswerContract,
  context: TaskContext,
  effect: number,
  read: Reading<PlanAnswer | ReadThought | ReplanAnswer>,
  usage: CallUsage | undefined,
): ModelEvent => {
  const rejected = (reason: string): ModelEvent => rejectedAnswer(contract, effect, reason, usage);
  if (!read.ok) return rejected(read.reason(messages(context.language)));
  const facts = { effect, reader: read.reader, ...(usage !== undefined && { usage }) };
  switch (contract) {
    case 'plan': {
      const answer = read.answer as PlanAnswer;
      const plan = withToolNames(answer.plan, context.catalogue);
      const planned = planItems(plan, context);
      if (!planned.ok) return rejected(planned.reason);
      const rejection = toolsRejection(planned.items, context);
      if (rejection !== null) return rejected(rejection);
      return { type: 'plan.made', ...facts, ...answer, plan, ...notesOf(planned) };
    }
    case 'thought': {
      const answer = withinBudget(context, read.answer as ReadThought);
      const rejection = thoughtRejection(context, answer);
      return rejection === null ? { type: 'thought.made', ...facts, ...answer } : rejected(rejection);
    }
    case 'replan': {
      const { answer, ...replan } = read.answer as ReplanAnswer;
      const isAsked = context.answer_schema !== null && replan.outcome !== 'failed';
      const plan = withToolNames(replan.plan, context.catalogue);
      const made = { ...replan, plan, ...(isAsked && answer !== undefined && { answer }) };
      const planned = made.status === 'replanned' ? planItems(plan, context) : null;
      const rejection =
        replanRejection(context, made, planned) ?? (planned?.ok ? toolsRejection(planned.items, context) : null);
      if (rejection !== null) return rejected(rejection);
      const notes = planned === null ? {} : notesOf(planned);
      return { type: 'replan.made', ...facts, ...made, ...notes };
    }
    default:
      return contract satisfies never;
  }
};

/** A thought without the actions that exceed the remaining steps. */
const withinBudget = (context: TaskContext, thought: ReadThought): ReadThought => {
  const { more_actions, ...alone } = thought;
  const fitting = more_actions?.slice(0, actionsAtOnce(context) - 1) ?? [];
  return fitting.length === 0 ? alone : { ...alone, more_actions: fitting };
};

/** A model's text as its contract, and the reader that parsed it; or why it is refused. */
export type Reading<Answer> = { ok: true; reader: Reader; answer: Answer } | { ok: false; reason: Reason };

/** Checks an answer; a schema is one. */
type Contract<Answer> = Pick<z.ZodType<Answer>, 'safeParse'>;

/** A thought, with the mark or control object that it was read from, if any (SPEC 5). */
export type ReadThought = ThoughtAnswer & { signal?: Mark };

/**
 * Reads a plan. A bare list is a plan, and prose without a valid object may contain it as a list (SPEC 5). Never
 * throws.
 */
export const readPlan = (text: string): Reading<PlanAnswer> =>
  readContract(PlanAnswer, findPlan(text, 'planned'), readList, ({ modelReply }) => modelReply.neitherObjectNorList);

/** Finds the objects of a text. A plan under another key, bare or without a status gets the contract's keys. */
const findPlan = (text: string, status: 'planned' | 'replanned'): FoundObjects => {
  const listed = listedPlan(text);
  if (listed !== null) return { ...listed, objects: listed.objects.map((object) => withStatus(object, status)) };
  const found = findObjects(text);
  if (found.kind === 'refused') return found;
  const objects = found.objects.map((object) => withStatus({ ...object, value: withPlanKey(object.value) }, status));
  return { ...found, objects };
};

/** Remaining work implies its status, if no response accompanies it. */
const withStatus = (object: FoundObject, status: 'planned' | 'replanned'): FoundObject => {
  const { value } = object;
  const isWork =
    Array.isArray(value['plan']) && (status === 'planned' || (value['plan'].length > 0 && isBlank(value['response'])));
  return isWork && isBlank(value['status']) ? { ...object, value: { ...value, status } } : object;
};

/**
 * Reads a thought. A control object, or a mark in prose, means `done`. An action counts only with nothing after it and
 * no mark beside it. Never throws.
 */
export const readThought = (text: string): Reading<ReadThought> => {
  const found = findObjects(text);
  const read = readThoughtIn(found);
  if (found.kind === 'refused' || !read.ok || read.answer.status !== 'continue') return read;
  if (hasMark(found.before)) return refused(({ modelReply }) => modelReply.markBesideAction);
  return hasWords(found.behind) ? refused(({ modelReply }) => modelReply.textBehindAction) : read;
};

const readThoughtIn = (found: FoundObjects): Reading<ReadThought> => {
  const reading = readContract<ReadThought>(
    ThoughtAnswer,
    found,
    (prose) => {
      const marked = readMark(prose);
      return marked && signalled(marked.mark, { response: marked.rest });
    },
    ({ modelReply }) => modelReply.neitherObjectNorMark,
  );
  return reading.ok ? reading : (readControl(found) ?? reading);
};

/**
 * Reads a replan. In prose without a valid object, `[Step]` marks are remaining work, and any other mark ends the task.
 * `keep` means the items in `left`. Never throws.
 */
export const readReplan = (text: string, left: readonly object[] = []): Reading<ReplanAnswer> =>
  readContract(
    {
      safeParse: (answer) =>
        ReplanAnswer.safeParse(isKeeping(answer) ? { ...answer, status: 'replanned', plan: left } : answer),
    },
    findPlan(text, 'replanned'),
    readStepsOrEnd,
    ({ modelReply }) => modelReply.neitherObjectNorMarkListIsNoPlan,
  );

const ANSWER_SCHEMAS: Record<AnswerContract, z.ZodType<PlanAnswer | ThoughtAnswer | ReplanAnswer>> = {
  plan: PlanAnswer,
  thought: ThoughtAnswer,
  replan: ReplanAnswer,
};

const READERS = { plan: readPlan, thought: readThought };

/** True for a replan that leaves the plan unchanged. */
const isKeeping = (answer: unknown): answer is object => isRecord(answer) && answer['status'] === 'keep';

const refused = (reason: Reason): { ok: false; reason: Reason } => ({ ok: false, reason });

/**
 * Reads the single object of a text by its contract. Otherwise `readProse` may find a mark or a list, but never beside
 * an object that was meant or quoted as a contract.
 */
const readContract = <Answer>(
  contract: Contract<Answer>,
  found: FoundObjects,
  readProse: (prose: string) => Reading<Answer> | null,
  missing: Reason,
): Reading<Answer> => {
  if (found.kind === 'refused') return refused(found.reason);
  const { objects, prose, isQuoted } = found;
  const [object] = objects;
  if (object === undefined && isQuoted) return refused(({ modelReply }) => modelReply.inProse);
  const reading =
    object === undefined || objects.length > 1 ? null : parseContract(contract, object.reader, object.value);
  if (reading?.ok) return reading;
  const signal = objects.some(({ value }) => isContractAttempt(value)) ? null : readProse(prose);
  return signal ?? reading ?? refused(objects.length > 1 ? ({ modelReply }) => modelReply.ambiguous : missing);
};

/** Validates an object against its contract. A plan that is too long is refused before its items are examined. */
const parseContract = <Answer>(contract: Contract<Answer>, reader: Reader, object: object): Reading<Answer> => {
  const plan = 'plan' in object && Array.isArray(object.plan) ? object.plan : [];
  if (plan.length > PLAN_ITEMS_READ_MAX)
    return refused(({ modelReply }) => modelReply.planTooLong(PLAN_ITEMS_READ_MAX));
  const spelled = { ...object, ...inSmallLetters(object, 'status'), ...inSmallLetters(object, 'outcome') };
  const parsed = contract.safeParse(plan.length === 0 ? spelled : { ...spelled, plan: itemsOf(plan) });
  return parsed.success ? { ok: true, reader, answer: parsed.data } : refused(contractReason(parsed.error));
};

/** A word of the contract in lower case; models also write capitals. */
const inSmallLetters = (object: object, key: 'status' | 'outcome'): object => {
  const word = (object as Record<string, unknown>)[key];
  return typeof word === 'string' ? { [key]: word.trim().toLowerCase() } : {};
};

const readList = (prose: string): Reading<PlanAnswer> | null => {
  const plan = listSteps(prose);
  return plan.length === 0 ? null : parseContract(PlanAnswer, 'signal', { status: 'planned', plan });
};

/** A mark before `[Step]` marks or a list is contradictory: the work is over, and some is left. */
const readStepsOrEnd = (prose: string): Reading<ReplanAnswer> | null => {
  const plan = markedSteps(prose);
  const marked = readMark(prose);
  if (marked === null)
    return plan.length === 0 ? null : parseContract(ReplanAnswer, 'signal', { status: 'replanned', plan });
  const saysTwoThings = plan.length > 0 || (marked.isFirst && listSteps(marked.rest).length > 0);
  if (marked.mark === 'replan' || saysTwoThings) return null;
  const outcome = marked.mark === 'blocked' ? 'failed' : undefined;
  return parseContract(ReplanAnswer, 'signal', { status: 'done', response: marked.rest, outcome });
};

/**
 * A control object says by a mark's name that the step is over; `reason` or `summary` says why, and other keys are
 * ignored.
 */
const readControl = (found: FoundObjects): Reading<ReadThought> | null => {
  const object = found.kind === 'read' && found.objects.length === 1 ? found.objects[0]!.value : {};
  const { control, next_action, question } = object;
  if (control === undefined) return null;
  const mark = typeof control === 'string' ? markNamed(control) : null;
  if (mark === null) return refused(({ modelReply }) => modelReply.unknownControl);
  const response = ['response', 'reason', 'summary']
    .map((key) => object[key])
    .find((value) => typeof value === 'string');
  return signalled(mark, { next_action, question, response });
};

const signalled = (signal: Mark, thought: Record<string, unknown>): Reading<ReadThought> => {
  const outcome = signal === 'step_done' ? undefined : 'blocked';
  const done = parseContract(ThoughtAnswer, 'signal', { ...thought, status: 'done', outcome });
  return done.ok ? { ...done, answer: { ...done.answer, signal } } : done;
};

type Issue = z.core.$ZodIssue;

/** Why a value violates its contract, as `field: what it must be`. Never quotes a value. */
const contractReason =
  (error: z.ZodError): Reason =>
  (texts) => {
    const lines = error.issues.flatMap((issue) => explain(issue, [], texts));
    const listed = lines.slice(0, REASON_ISSUES_MAX);
    return texts.modelReply.problems(listed, lines.length - listed.length).slice(0, REASON_CHARS_MAX);
  };

const explain = (issue: Issue, above: PropertyKey[], texts: Messages): string[] => {
  const path = [...above, ...issue.path];
  const { modelReply, validation } = texts;
  const ofField = (problem: string): string =>
    path.length === 0 ? problem : modelReply.field(path.map(String).join('.'), problem);
  if (issue.code !== 'invalid_union') return [ofField(validation.issue(issue))];
  const meant = issue.errors.find((branch) => !branch.some(isOtherType));
  if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path, texts));
  const types = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []));
  return [ofField(modelReply.expected(types))];
};

/** The union's branch is for values of an entirely different type, so its other issues say nothing. */
const isOtherType = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.path.length === 0;
