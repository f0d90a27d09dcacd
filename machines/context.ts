import { assign } from 'xstate';
import type { PlanItem, PlanItemAnswer } from '../contracts/answer.ts';
import type { EventOf, LeftStep, TaskEvent, TaskEventType, TaskOpened } from '../contracts/event.ts';
import {
  type Catalogue,
  CONVERSATION_CHARS_MAX,
  CONVERSATION_TEXT_CHARS_MAX,
  CONVERSATION_TURNS_MAX,
  type Conversation,
  type ConversationTurn,
  TaskContext,
} from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import { isToolMeant } from '../contracts/tool-pattern.ts';
import { eventAs } from './guards.ts';
import { acceptedItems } from './plan-items.ts';
import { withoutFailures } from './tallies.ts';

/** The initial context of a task: its goal, its limits, and its user's plan or the steps of a left plan. */
export const initialContext = ({ plan, ...opened }: TaskOpened): TaskContext => {
  const context = freshContext(opened);
  if (plan !== undefined) return { ...context, ...firstPlan(context, plan) };
  return opened.left_steps === undefined ? context : withLeftSteps(context, opened.left_steps);
};

/** A task's first plan, from a model, from its user, or its goal alone. Throws for one that fails its contract. */
export const firstPlan = (context: TaskContext, plan: PlanItemAnswer[]): Partial<TaskContext> => {
  const { items, notes, itemsNumbered } = acceptedItems(plan, context);
  return {
    ...withoutFailures,
    plan_initialized: true,
    plan_items: items,
    items_numbered: itemsNumbered,
    current_plan_index: 0,
    plan_failures: 0,
    notes,
  };
};

/** The steps become items in their order, and a replan comes first, as at every continue (SPEC 6, 10). */
const withLeftSteps = (context: TaskContext, left: LeftStep[]): TaskContext => {
  const limits = { ...context.limits, max_plan_items: left.length };
  const { items, notes, itemsNumbered } = acceptedItems(
    left.map(({ step }) => step),
    { ...context, limits },
  );
  const ended = items.flatMap((item, i): PlanItem[] =>
    left[i]?.is_completed ? [{ ...item, status: 'completed', result: left[i].result }] : [],
  );
  return {
    ...context,
    plan_initialized: true,
    needs_replan: true,
    notes,
    items_numbered: itemsNumbered,
    past_items: ended,
    plan_items: items.filter((_, i) => !left[i]?.is_completed),
  };
};

const freshContext = ({ context: background, ...opened }: TaskOpened): TaskContext =>
  TaskContext.parse({
    ...opened,
    background,
    step_limit: Math.min(opened.limits.max_steps, opened.limits.max_total_steps),
    token_limit: opened.limits.max_task_tokens,
    cost_limit: opened.limits.max_task_cost ?? null,
  });

/** A catalogue with those of its tools that a task is narrowed to, by name or by the beginning of it (`mail_*`); null: all. */
export const narrowed = (catalogue: Catalogue, to: readonly string[] | null): Catalogue => {
  if (to === null) return catalogue;
  const isMeant = (name: string): boolean => to.some((pattern) => isToolMeant(pattern, name));
  return { ...catalogue, tools: catalogue.tools.filter(({ name, always }) => always === true || isMeant(name)) };
};

/** The conversation that a task is opened with (SPEC 3), of finished turns, oldest first: the last ones, each text cut. */
export const conversationOf = (turns: ConversationTurn[]): Conversation => {
  const kept: Conversation = [];
  let chars = 0;
  for (const { said, answered, files } of turns.slice(-CONVERSATION_TURNS_MAX).toReversed()) {
    const turn = {
      said: cutText(said, CONVERSATION_TEXT_CHARS_MAX),
      answered: cutText(answered, CONVERSATION_TEXT_CHARS_MAX),
      ...(files !== undefined && { files }),
    };
    chars += turn.said.length + turn.answered.length;
    if (chars > CONVERSATION_CHARS_MAX) break;
    kept.unshift(turn);
  }
  return kept;
};

/** The fields that a user's turn brought beside its words; the newest count. */
const brought = (event: TaskEvent): Partial<TaskContext> => ({
  ...('metadata' in event && event.metadata !== undefined && { metadata: event.metadata }),
  ...('context' in event && event.context !== undefined && { background: event.context }),
  ...('answer_schema' in event && event.answer_schema !== undefined && { answer_schema: event.answer_schema }),
  ...('expires_in' in event && event.expires_in !== undefined && { expires_in: event.expires_in }),
});

/** XState's `assign` with the machine's types: an action that changes the task, as a pure function of the task and the event. */
export const assigned = (change: (context: TaskContext, event: TaskEvent) => Partial<TaskContext>) =>
  assign<TaskContext, TaskEvent, undefined, TaskEvent, never>(({ context, event }) => {
    const changed = change(context, event);
    return 'turn_id' in event ? { ...changed, ...brought(event) } : changed;
  });

/** Such an action for transitions of one event. */
export const onEvent = <Type extends TaskEventType>(
  type: Type,
  change: (context: TaskContext, event: EventOf<Type>) => Partial<TaskContext>,
) => assigned((context, event) => change(context, eventAs(type, event)));
