import type { PlanItem } from '../contracts/answer.ts';
import type { LeftStep, TaskOpened } from '../contracts/event.ts';
import {
  type Catalogue,
  CONVERSATION_CHARS_MAX,
  CONVERSATION_TEXT_CHARS_MAX,
  CONVERSATION_TURNS_MAX,
  type Conversation,
  type ConversationTurn,
  type TaskContext,
} from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import { NO_USAGE } from '../contracts/usage.ts';
import { planItems } from './plan-items.ts';

/** The initial context of a task: its goal, its limits, and nothing done yet but what a plan that was left says. */
export const initialContext = (opened: TaskOpened): TaskContext => {
  const context = freshContext(opened);
  return opened.left_steps === undefined ? context : withLeftSteps(context, opened.left_steps);
};

/** The steps become items in their order, and a replan comes first, as at every continue (SPEC 6, 10). */
const withLeftSteps = (context: TaskContext, left: LeftStep[]): TaskContext => {
  const limits = { ...context.limits, max_plan_items: left.length };
  const planned = planItems(
    left.map(({ step }) => step),
    { ...context, limits },
  );
  if (!planned.ok) throw new Error(`steps without ids and dependencies were refused: ${planned.reason}`);
  const { items, notes, itemsNumbered } = planned;
  const ended = items.flatMap((item, i): PlanItem[] =>
    left[i]?.is_completed ? [{ ...item, status: 'completed', result: left[i].result }] : [],
  );
  return {
    ...context,
    ...{ plan_initialized: true, needs_replan: true, notes, items_numbered: itemsNumbered },
    past_items: ended,
    plan_items: items.filter((_, i) => !left[i]?.is_completed),
  };
};

const freshContext = ({
  type: _,
  turn_id: __,
  left_steps: ___,
  context: background,
  replan = 'always',
  tools,
  metadata = {},
  ...opened
}: TaskOpened): TaskContext => ({
  ...opened,
  replan,
  tools: tools ?? null,
  metadata,
  background: background ?? null,
  failed_since_replan: false,
  taken_as_no: false,
  plan_confirmed: false,
  plan_initialized: false,
  plan_items: [],
  past_items: [],
  abandoned_items: [],
  current_plan_index: 0,
  awaiting_clarification: false,
  awaiting: null,
  approved_tools: [],
  replaced_input: null,
  needs_replan: false,
  steered: false,
  last_thought_snapshot: null,
  observations: [],
  step_count: 0,
  step_limit: Math.min(opened.limits.max_steps, opened.limits.max_total_steps),
  successful_steps: 0,
  failed_steps: 0,
  consecutive_failures: 0,
  is_recovering: false,
  recent_failures: [],
  clarification_history: [],
  last_ask_user_question: null,
  question_options: [],
  pending_final_response: null,
  outcome: null,
  pause_reason: null,
  pause_detail: null,
  usage: NO_USAGE,
  cost: null,
  is_cost_known: true,
  token_limit: opened.limits.max_task_tokens,
  plan_failures: 0,
  replan_failures: 0,
  replans: 0,
  deadlocks_in_a_row: 0,
  verify_failures: 0,
  questions_asked: 0,
  iteration_count: 0,
  rounds: 0,
  rounds_item_id: null,
  item_rounds: 0,
  repeats: 0,
  wrote: false,
  notes: [],
  effects_requested: 0,
  open_effect: null,
  items_numbered: 0,
});

/** A catalogue with those of its tools that a task is narrowed to, by name or by the beginning of it (`mail_*`); null: all. */
export const narrowed = (catalogue: Catalogue, to: readonly string[] | null): Catalogue => {
  if (to === null) return catalogue;
  const isMeant = (name: string): boolean =>
    to.some((given) => (given.endsWith('*') ? name.startsWith(given.slice(0, -1)) : name === given));
  return { ...catalogue, tools: catalogue.tools.filter(({ name }) => isMeant(name)) };
};

/** The conversation that a task is opened with (SPEC 3), of finished turns, oldest first: the last ones, each text cut. */
export const conversationOf = (turns: ConversationTurn[]): Conversation => {
  const kept: Conversation = [];
  let chars = 0;
  for (const { said, answered } of turns.slice(-CONVERSATION_TURNS_MAX).toReversed()) {
    const turn = {
      said: cutText(said, CONVERSATION_TEXT_CHARS_MAX),
      answered: cutText(answered, CONVERSATION_TEXT_CHARS_MAX),
    };
    chars += turn.said.length + turn.answered.length;
    if (chars > CONVERSATION_CHARS_MAX) break;
    kept.unshift(turn);
  }
  return kept;
};
