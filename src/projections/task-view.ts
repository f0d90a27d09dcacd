import type { Phase, TaskContext, TaskSnapshot, TaskState } from '../../contracts/task.ts';
import { TaskView } from '../../contracts/turn-view.ts';
import { pendingAction } from '../../machines/approval.ts';
import { isEnded } from '../../machines/is-settled.ts';
import { allItems, currentIndexOfAll } from './item-counts.ts';

/** All that a phase depends on: the state, and the failures that are being counted. */
interface PhaseSource {
  state: TaskState;
  context: Pick<TaskContext, 'plan_failures' | 'replan_failures' | 'consecutive_failures' | 'is_recovering'>;
}

/** A failure is being counted, or an item or a verification failed and nothing has succeeded since. */
const isRecovering = ({
  plan_failures,
  replan_failures,
  consecutive_failures,
  is_recovering,
}: PhaseSource['context']) => is_recovering || plan_failures + replan_failures + consecutive_failures > 0;

/**
 * The task's state in fewer words, for people (SPEC 3). Never `intake`: a task asks for its first effect as it opens, so that phase
 * is that of a session whose input waits for its task to be opened.
 */
export const phaseOf = ({ state, context }: PhaseSource): Phase => {
  switch (state) {
    case 'planning':
    case 'replanning':
      return isRecovering(context) ? 'recovering' : 'planning';
    case 'thinking':
    case 'acting':
      return isRecovering(context) ? 'recovering' : 'executing';
    case 'verifying':
      return 'verifying';
    case 'awaiting_user':
    case 'paused':
      return 'blocked';
    case 'done':
    case 'failed':
    case 'cancelled':
      return 'done';
    default:
      return state satisfies never;
  }
};

/** A view from the store, which an earlier version may have written: what that one did not know is null. */
export const StoredTaskView = TaskView.extend({
  outcome: TaskView.shape.outcome.default(null),
  approval: TaskView.shape.approval.default(null),
  token_limit: TaskView.shape.token_limit.default(null),
});

/** Reads a stored view. Throws a `SyntaxError` or `ZodError` for one that is damaged. */
export const storedTaskView = (text: string): TaskView => StoredTaskView.parse(JSON.parse(text));

/** The `task` object of a reply (SPEC 11). Never contains observations, clarifications or a thought. */
export const taskView = (snapshot: TaskSnapshot): TaskView => {
  const { state, context } = snapshot;
  return {
    id: context.task_id,
    goal: context.goal,
    state,
    phase: phaseOf(snapshot),
    plan: allItems(context).map(({ id, step, status, executor, depends_on, result }) => ({
      id,
      step,
      status,
      executor,
      depends_on,
      result,
    })),
    current_plan_index: currentIndexOfAll(context),
    step_count: context.step_count,
    step_limit: context.step_limit,
    token_limit: context.token_limit,
    successful_steps: context.successful_steps,
    failed_steps: context.failed_steps,
    awaiting_clarification: context.awaiting_clarification,
    needs_replan: context.needs_replan,
    outcome: isEnded(state) ? context.outcome : null,
    pause_reason: context.pause_reason,
    approval: pendingAction(context),
    usage: context.usage,
    ...(context.is_cost_known && context.cost !== null && { cost: context.cost }),
  };
};
