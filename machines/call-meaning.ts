import { NextAction } from '../contracts/answer.ts';
import { type AnswerContract, type Call, isAction } from '../contracts/calls.ts';
import { STEP_CHARS_MAX } from '../contracts/limits.ts';
import type { TaskContext } from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import { currentItem, hasOpenItems, isOpen, mayConclude } from './plan-items.ts';
import { actionsAtOnce, sideBySideTools } from './side-by-side.ts';

/** The meaning of a call for the contract that is due now. */
export type CallMeaning =
  /** An answer of that contract, to be checked like any other. `more`: the call answers the next contract too. */
  | { kind: 'answer'; answer: Record<string, unknown>; more: boolean }
  /** The call has answered everything that it can: the next call of the message is due. */
  | { kind: 'over' }
  | { kind: 'not_due' };

const answer = (fields: Record<string, unknown>, more = false): CallMeaning => ({
  kind: 'answer',
  answer: fields,
  more,
});

/** The items left of the plan, as an answer gives them. */
export const itemsLeft = (task: TaskContext): Record<string, unknown>[] =>
  task.plan_items.filter(isOpen).map(({ id, step, depends_on, executor, tools, expected }) => ({
    id,
    step,
    depends_on,
    executor,
    tools,
    expected,
  }));

/** The replan that leaves the plan as it is. */
const unchanged = (task: TaskContext, more: boolean): CallMeaning =>
  answer({ status: 'replanned', plan: itemsLeft(task), response: null }, more);

/** The step of an action that no plan has: the goal, or where an item of that name has ended, the tool's name and a number. */
const stepOfAction = (task: TaskContext, name: string): string => {
  const goal = cutText(task.goal, STEP_CHARS_MAX);
  return task.past_items.some(({ step }) => step === goal) ? `${name} (${task.past_items.length + 1})` : goal;
};

const thought = (task: TaskContext, fields: Record<string, unknown>, more = false): CallMeaning =>
  answer(
    {
      current_step: cutText(currentItem(task)?.step ?? task.goal, STEP_CHARS_MAX),
      next_action: null,
      question: null,
      response: null,
      ...fields,
    },
    more,
  );

/** Whether a call may stand beside others: of a tool of the item that only reads, and with an input that a thought may give. */
const mayStandBeside = (task: TaskContext, call: Call, tools: readonly string[]): boolean =>
  call.unreadable === undefined &&
  tools.includes(call.name) &&
  NextAction.safeParse({ tool: call.name, input: inputOf(task, call) }).success;

/** The leading calls that one thought takes as its actions, to be performed at once (SPEC 3, reads side by side). The first call is always one of them. */
export const takenAtOnce = (task: TaskContext, calls: readonly Call[]): readonly Call[] => {
  const tools = sideBySideTools(task);
  const most = calls.slice(0, actionsAtOnce(task));
  const alone = most.findIndex((call) => !mayStandBeside(task, call, tools));
  return alone === -1 ? most : most.slice(0, Math.max(1, alone));
};

/** An action's input as its tool reads it: the fields as JSON, or the command line or value that stands in the one field `input`. */
const inputOf = (task: TaskContext, { name, input }: Call): string => {
  const takesJson = task.catalogue.tools.find((tool) => tool.name === name)?.takes_json === true;
  if (takesJson || Object.keys(input).join() !== 'input') return JSON.stringify(input);
  const { input: given } = input;
  return typeof given === 'string' ? given : JSON.stringify(given);
};

/** A call that begins work where a plan or a replan is due: the plan is one item, or stays as it is, and the thought comes next. */
const planFor = (due: 'plan' | 'replan', task: TaskContext, step: string): CallMeaning => {
  if (due === 'plan') return answer({ status: 'planned', plan: [cutText(task.goal, STEP_CHARS_MAX)] }, true);
  if (hasOpenItems(task)) return unchanged(task, true);
  return answer({ status: 'replanned', plan: [step], response: null }, true);
};

const planMeaning = (due: AnswerContract, { input }: Call): CallMeaning => {
  const { goal, steps, plan = steps, items = plan } = input;
  if (due === 'plan') return answer({ status: 'planned', plan: items, goal });
  return due === 'replan' ? answer({ status: 'replanned', plan: items, response: null }) : { kind: 'not_due' };
};

const itemDoneMeaning = (due: AnswerContract, task: TaskContext, { input }: Call, hasEnded: boolean): CallMeaning => {
  const { result, outcome, plan } = input;
  const keepsPlan = plan === 'unchanged' && outcome !== 'blocked';
  if (hasEnded) {
    if (due === 'replan' && keepsPlan && hasOpenItems(task)) return unchanged(task, false);
    return { kind: 'over' };
  }
  if (due === 'replan' && hasOpenItems(task)) return unchanged(task, true);
  return due === 'thought'
    ? thought(task, { status: 'done', response: result, outcome }, keepsPlan)
    : { kind: 'not_due' };
};

const finishMeaning = (due: AnswerContract, task: TaskContext, { input }: Call): CallMeaning => {
  const { response, answer: shaped, outcome } = input;
  if (due === 'plan') return answer({ status: 'planned', plan: [] }, true);
  if (due === 'replan') return answer({ status: 'done', plan: [], response, answer: shaped, outcome });
  const isBlocked = outcome === 'failed' && currentItem(task) !== null;
  const concludes = mayConclude(task) && outcome !== 'failed';
  return thought(
    task,
    {
      status: 'done',
      response: concludes || isBlocked ? response : null,
      outcome: isBlocked ? 'blocked' : undefined,
    },
    true,
  );
};

const questionMeaning = (due: AnswerContract, task: TaskContext, { input }: Call): CallMeaning => {
  const { question, options } = input;
  const asked = typeof question === 'string' ? question : '';
  if (due !== 'thought') return planFor(due, task, cutText(`Ask: ${asked}`, STEP_CHARS_MAX));
  return thought(task, { status: 'ask_user', question, options });
};

/**
 * The meaning of one call of a model's message (SPEC 5), known only when it is due: one call may answer several contracts, one after the
 * other. `taken` has those that it has answered, `beside` the calls behind it that are taken with it. Checks nothing.
 */
export const meaningOf = (
  due: AnswerContract,
  task: TaskContext,
  call: Call,
  { taken = [], beside = [] }: { taken?: readonly AnswerContract[]; beside?: readonly Call[] } = {},
): CallMeaning => {
  if (isAction(call)) {
    if (due !== 'thought') return planFor(due, task, stepOfAction(task, call.name));
    const [next_action, ...more_actions] = [call, ...beside].map((each) => ({
      tool: each.name,
      input: inputOf(task, each),
    }));
    return thought(task, { status: 'continue', next_action, more_actions });
  }
  switch (call.name) {
    case 'plan':
      return planMeaning(due, call);
    case 'item_done':
      return itemDoneMeaning(due, task, call, taken.includes('thought'));
    case 'finish':
      return finishMeaning(due, task, call);
    default:
      return questionMeaning(due, task, call);
  }
};
