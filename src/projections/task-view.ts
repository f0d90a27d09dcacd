import {
  isEnded,
  isSettled,
  type Phase,
  type TaskContext,
  type TaskSnapshot,
  type TaskState,
} from '../../contracts/task.ts';
import { ToolQuestionView } from '../../contracts/tool-question.ts';
import { TaskView } from '../../contracts/turn-view.ts';
import { approvalReason, approversOf, pendingAction } from '../../machines/approvals.ts';
import { currentItem } from '../../machines/plan-items.ts';
import { pendingToolQuestion } from '../../machines/tool-questions.ts';
import { allItems } from './items.ts';
import { approvalId, toolQuestionId } from './question.ts';

/** Everything that a phase depends on: the state, and the counted failures. */
interface PhaseSource {
  state: TaskState;
  context: Pick<TaskContext, 'plan_failures' | 'replan_failures' | 'consecutive_failures' | 'is_recovering'>;
}

/** A failure is being counted, or an item or verification failed and nothing has succeeded since. */
const isRecovering = (context: PhaseSource['context']): boolean =>
  context.is_recovering || context.plan_failures + context.replan_failures + context.consecutive_failures > 0;

/**
 * The task's state in fewer words (SPEC 3). Never `intake`, which is the phase of a session whose input waits for its
 * task.
 */
export const phaseOf = ({ state, context }: PhaseSource): Phase => {
  if (isSettled(state)) return isEnded(state) ? 'done' : 'blocked';
  if (state === 'verifying') return state;
  if (isRecovering(context)) return 'recovering';
  return state === 'planning' || state === 'replanning' ? 'planning' : 'executing';
};

/** Parses a stored view. Throws a `SyntaxError` or `ZodError` if it is damaged. */
export const storedTaskView = (text: string): TaskView => TaskView.parse(JSON.parse(text));

const approvalOf = (context: TaskContext): TaskView['approval'] => {
  const action = pendingAction(context);
  const thought = context.last_thought_snapshot;
  if (action === null || thought === null) return null;
  const summary = thought.approval?.summary;
  const reason = approvalReason(context, thought);
  const { approvers, self } = approversOf(context, action.tool);
  return {
    id: approvalId(context.task_id, context.step_count),
    ...action,
    ...(summary !== undefined && { summary }),
    ...(reason !== undefined && { reason }),
    ...(approvers !== undefined && { approvers: [...approvers] }),
    ...(self !== undefined && { self }),
  };
};

const toolQuestionOf = (context: TaskContext): Pick<TaskView, 'tool_question'> => {
  const pending = pendingToolQuestion(context);
  const tool = context.last_thought_snapshot?.next_action?.tool;
  if (pending === null || tool === undefined) return {};
  const { request, asked } = pending;
  const { key: _, ...shown } = request;
  const id = toolQuestionId(context.task_id, context.step_count, context.tool_questions);
  return { tool_question: ToolQuestionView.parse({ id, tool, server: asked.server, ...shown }) };
};

const questionOf = ({ state, context }: TaskSnapshot): Pick<TaskView, 'question_about' | 'question_options'> => {
  const { awaiting, question_options } = context;
  if (state !== 'awaiting_user' || awaiting === null) return {};
  return { question_about: awaiting, ...(question_options.length > 0 && { question_options }) };
};

/** The `task` object of a reply (SPEC 11). Never contains observations, clarifications or a thought. */
export const taskView = (snapshot: TaskSnapshot): TaskView => {
  const { state, context } = snapshot;
  const { task_id, goal, step_count, step_limit, token_limit, successful_steps, failed_steps } = context;
  const { awaiting_clarification, needs_replan, outcome, pause_reason, usage, is_cost_known, cost, cost_limit } =
    context;
  const items = allItems(context);
  const current = currentItem(context);
  return {
    id: task_id,
    goal,
    state,
    phase: phaseOf(snapshot),
    plan: items.map((item) => {
      const { id, step, status, executor, depends_on, result } = item;
      return { id, step, status, executor, depends_on, result };
    }),
    current_plan_index: current === null ? items.length : items.indexOf(current),
    step_count,
    step_limit,
    token_limit,
    successful_steps,
    failed_steps,
    awaiting_clarification,
    ...questionOf(snapshot),
    needs_replan,
    outcome: isEnded(state) ? outcome : null,
    pause_reason,
    ...(state === 'done' && context.pending_answer !== null && { answer: context.pending_answer }),
    approval: approvalOf(context),
    ...toolQuestionOf(context),
    usage,
    ...(cost_limit !== null && { cost_limit }),
    ...(is_cost_known && cost !== null && { cost }),
  };
};
