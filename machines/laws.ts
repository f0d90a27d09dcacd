import type { NextAction, PlanItemAnswer } from '../contracts/answer.ts';
import type { EventOf, PlanEdit, TaskEvent } from '../contracts/event.ts';
import { messages } from '../contracts/messages/messages.ts';
import { isSettled, type TaskContext, type TaskSnapshot } from '../contracts/task.ts';
import { shapeFault } from './answer-shape.ts';
import { needsApproval, pendingAction } from './approvals.ts';
import { isSameQuestion } from './phrases.ts';
import {
  allowedStatuses,
  allowedTools,
  currentItem,
  isLooking,
  type PlannedItems,
  planItems,
  skipRepeated,
} from './plan-items.ts';
import { actionsAtOnce, actionsOf, sideBySideTools } from './side-by-side.ts';
import { pendingToolQuestion, signInAsked } from './tool-questions.ts';

/** Why these actions may not be performed at once; null where they may, or are not several (SPEC 3, reads side by side). */
const besideRejection = (context: TaskContext, actions: NextAction[], tools: string[]): string | null => {
  if (actions.length < 2) return null;
  const texts = messages(context.language).rejections;
  const beside = sideBySideTools(context, tools);
  const alone = actions.find(({ tool }) => !beside.includes(tool));
  if (alone !== undefined) return texts.toolNotBeside(alone.tool, beside);
  const max = actionsAtOnce(context);
  return actions.length > max ? texts.tooManyAtOnce(max) : null;
};

/** True for a tool that writes, in a task that looks first. */
const isTooEarly = (context: TaskContext, tool: string): boolean =>
  isLooking(context) && context.catalogue.tools.some(({ name, writes }) => name === tool && writes);

/** Why a thought that kept its contract still may not be taken now; null when it may (SPEC 5, 6). */
export const thoughtRejection = (
  context: TaskContext,
  thought: Pick<
    EventOf<'thought.made'>,
    'status' | 'next_action' | 'more_actions' | 'question' | 'outcome' | 'options'
  >,
): string | null => {
  const texts = messages(context.language).rejections;
  const tools = allowedTools(context);
  const may = allowedStatuses(context, tools);
  if (!may.includes(thought.status)) return texts.statusNotAllowed(thought.status, may);
  if (thought.next_action !== null && !tools.includes(thought.next_action.tool))
    return isTooEarly(context, thought.next_action.tool)
      ? texts.onlyReading(thought.next_action.tool, tools)
      : texts.toolNotAllowed(thought.next_action.tool, tools);
  if (thought.status === 'continue' && thought.next_action === null)
    return texts.statusRequires('continue', 'next_action');
  if (thought.status !== 'continue' && thought.more_actions !== undefined) return texts.moreActionsWithoutContinue;
  const rejection = besideRejection(context, actionsOf(thought), tools);
  if (rejection !== null) return rejection;
  if (thought.status === 'ask_user' && thought.question === null) return texts.statusRequires('ask_user', 'question');
  if (thought.status !== 'done' && thought.outcome !== undefined) return texts.outcomeWithoutDone;
  if (thought.status !== 'ask_user' && thought.options !== undefined) return texts.optionsWithoutAsking;
  const last = context.clarification_history.findLast(({ question }) => question !== null)?.question ?? null;
  if (thought.question !== null && last !== null && isSameQuestion(thought.question, last))
    return texts.repeatedQuestion;
  return null;
};

/** Why a plan that kept its contract can't be taken; null when it can (SPEC 5). */
export const planRejection = (context: TaskContext, plan: PlanItemAnswer[]): string | null => {
  const planned = planItems(plan, context);
  return planned.ok ? null : planned.reason;
};

/** Why a replan that kept its contract can't be taken; null when it can (SPEC 3, 5). `items`: those of its plan, where they are made already. */
export const replanRejection = (
  context: TaskContext,
  replan: Pick<EventOf<'replan.made'>, 'status' | 'plan' | 'response' | 'outcome' | 'answer'>,
  items: PlannedItems | null = null,
): string | null => {
  const texts = messages(context.language).rejections;
  if (replan.status === 'done') {
    if (replan.response === null) return texts.doneRequiresResponse;
    // A task that is given up has no answer to give, and one that was steered meanwhile drops what it has.
    if (context.answer_schema === null || replan.outcome === 'failed' || context.steered) return null;
    return shapeFault(context.answer_schema, replan.answer, context.language);
  }
  if (replan.outcome !== undefined) return texts.outcomeWithoutDone;
  const planned = items ?? planItems(replan.plan, context);
  if (!planned.ok) return planned.reason;
  const isOld = skipRepeated(planned.items, context).index === planned.items.length;
  return isOld ? texts.allCompleted : null;
};

/** Why a user's edits, taken one after the other, can't be made; null when they can (SPEC 3). */
const editsRejection = (context: TaskContext, edits: PlanEdit[]): string | null => {
  if (!context.plan_initialized) return 'the task has no plan yet';
  let length = context.plan_items.length;
  for (const edit of edits) {
    if (edit.kind === 'add') length += 1;
    else if (Math.max(...('index' in edit ? [edit.index] : [edit.from, edit.to])) >= length) return 'no such plan item';
  }
  return null;
};

const isSameAction = (one: NextAction, other: NextAction): boolean =>
  one.tool === other.tool && one.input === other.input;

const actionText = ({ tool, input }: NextAction): string => `${tool} -> ${input}`;

/** Why an event is invalid for the current task; null when it is valid. An event without a transition is left to the machine. */
export const validateEvent = ({ state, context }: TaskSnapshot, event: TaskEvent): string | null => {
  if (event.type === 'result.superseded') return null;
  if ('effect' in event && event.effect !== context.open_effect)
    return `effect ${event.effect} is not the open one (${context.open_effect ?? 'none'})`;
  switch (event.type) {
    case 'plan.made':
      return planRejection(context, event.plan);
    case 'thought.made':
      return state === 'thinking' ? thoughtRejection(context, event) : null;
    case 'replan.made':
      return replanRejection(context, event);
    case 'observation.recorded':
    case 'observations.recorded': {
      if (state !== 'acting') return null;
      const seen = event.type === 'observation.recorded' ? [event] : event.observations;
      const actions = actionsOf(context.last_thought_snapshot);
      const isKind = (event.type === 'observation.recorded') === (actions.length === 1);
      const areOurs = seen.length === actions.length && seen.every((each, i) => isSameAction(each, actions[i]!));
      return isKind && areOurs ? null : `the open action is ${actions.map(actionText).join(', ')}`;
    }
    case 'tool.asked': {
      if (state !== 'acting') return null;
      const [action, ...others] = actionsOf(context.last_thought_snapshot);
      const isOurs = action !== undefined && others.length === 0 && isSameAction(event, action);
      return isOurs ? null : 'a tool asks only in its own call';
    }
    case 'answer.received':
      if (event.signed_in === undefined) return null;
      return signInAsked(context) === event.signed_in ? null : 'no tool waits for this sign-in';
    case 'decision.received':
      return pendingAction(context) === null ? 'no action waits for approval' : null;
    case 'plan.edited':
      return editsRejection(context, event.edits);
    default:
      return null;
  }
};

const areIdsUnique = ({ plan_items }: TaskContext): boolean =>
  new Set(plan_items.map((item) => item.id)).size === plan_items.length;

const doDependenciesExist = ({ plan_items, past_items, abandoned_items }: TaskContext): boolean => {
  const known = new Set([...[...plan_items, ...past_items].map(({ id }) => id), ...abandoned_items]);
  return plan_items.every(({ depends_on }) => depends_on.every((id) => known.has(id)));
};

/** A question about an action names one of the current item that may not run without a person's yes. */
const isApprovalSound = (context: TaskContext): boolean => {
  if (context.awaiting !== 'approval') return true;
  const thought = context.last_thought_snapshot;
  return thought !== null && needsApproval(context, thought) && currentItem(context) !== null;
};

/** The laws of SPEC 3 that hold after every event; the name of the first broken one, or null. */
export const brokenInvariant = ({ state, context }: TaskSnapshot): string | null => {
  if (context.current_plan_index < 0 || context.current_plan_index > context.plan_items.length)
    return 'current_plan_index is inside the plan';
  if (context.awaiting_clarification !== (state === 'awaiting_user'))
    return 'awaiting_clarification holds exactly in awaiting_user';
  if (isSettled(state) !== (context.open_effect === null)) return 'an effect is open exactly outside settled states';
  if (context.step_count > context.step_limit + 1) return 'step_count is at most one above step_limit';
  if (state === 'replanning' && !context.needs_replan) return 'replan is requested only while needs_replan';
  if ((state === 'paused') !== (context.pause_reason !== null)) return 'pause_reason is set exactly in paused';
  if ((context.awaiting !== null) !== context.awaiting_clarification) return 'awaiting is set exactly in awaiting_user';
  if (context.expired !== null && context.pause_reason !== 'question_expired')
    return 'an expired question is kept only while it pauses the task';
  if (state === 'acting' && actionsOf(context.last_thought_snapshot).some(({ tool }) => isTooEarly(context, tool)))
    return 'only reading tools run before a yes to the plan';
  if (!isApprovalSound(context)) return 'approval is asked only for an action that needs it';
  if ((context.awaiting === 'tool') !== (pendingToolQuestion(context) !== null))
    return 'a question of a tool has a request that is open';
  if (!areIdsUnique(context)) return 'item ids are unique';
  if (!doDependenciesExist(context)) return 'dependencies exist';
  return null;
};
