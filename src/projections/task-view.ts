import type { TaskView } from '../../contracts/http.ts';
import type { Phase, TaskContext, TaskSnapshot, TaskState } from '../../contracts/task.ts';

/** All that a phase depends on: the state, and the failures that are being counted. */
interface PhaseSource {
  state: TaskState;
  context: Pick<TaskContext, 'plan_failures' | 'replan_failures' | 'consecutive_failures'>;
}

/**
 * The task's state in the words of people (SPEC 3): a state that works is `recovering` while the failures that it would
 * end are being counted. Never `intake`: that is a session whose input waits before any task.
 */
export const phaseOf = ({ state, context }: PhaseSource): Phase => {
  switch (state) {
    case 'planning':
      return context.plan_failures > 0 ? 'recovering' : 'planning';
    case 'replanning':
      return context.replan_failures + context.consecutive_failures > 0 ? 'recovering' : 'planning';
    case 'thinking':
    case 'acting':
      return context.consecutive_failures > 0 ? 'recovering' : 'executing';
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

/** The `task` object of a reply (SPEC 11). Never holds observations, clarifications or a thought. */
export const taskView = (snapshot: TaskSnapshot): TaskView => {
  const { state, context } = snapshot;
  return {
    id: context.task_id,
    goal: context.goal,
    state,
    phase: phaseOf(snapshot),
    plan: context.plan_items.map(({ id, step, status, executor, depends_on, result }) => ({
      id,
      step,
      status,
      executor,
      depends_on,
      result,
    })),
    current_plan_index: context.current_plan_index,
    step_count: context.step_count,
    step_limit: context.step_limit,
    successful_steps: context.successful_steps,
    failed_steps: context.failed_steps,
    awaiting_clarification: context.awaiting_clarification,
    needs_replan: context.needs_replan,
    pause_reason: context.pause_reason,
    usage: context.usage,
  };
};
