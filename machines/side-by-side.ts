import type { NextAction } from '../contracts/answer.ts';
import { ACTIONS_AT_ONCE_MAX } from '../contracts/limits.ts';
import type { TaskContext } from '../contracts/task.ts';
import { allowedTools } from './plan-items.ts';

/** The actions that a thought asks for: none, one, or several that are performed at once. */
export const actionsOf = (
  thought: { next_action: NextAction | null; more_actions?: NextAction[] | undefined } | null,
): NextAction[] =>
  thought === null || thought.next_action === null ? [] : [thought.next_action, ...(thought.more_actions ?? [])];

/** The tools of the current item whose calls may stand beside each other: they only read, and nobody is asked about them (SPEC 3). */
export const sideBySideTools = (context: TaskContext, allowed = allowedTools(context)): string[] => {
  const names = new Set(allowed);
  return context.catalogue.tools
    .filter((tool) => names.has(tool.name) && tool.side_by_side === true && !tool.writes && !tool.approval)
    .map(({ name }) => name);
};

/** Actions that the next thought may ask for at once. Each is a step, and together they end at most one above the limit (SPEC 4). */
export const actionsAtOnce = ({ chain, step_limit, step_count }: TaskContext): number =>
  chain ? Math.max(1, Math.min(ACTIONS_AT_ONCE_MAX, step_limit - step_count)) : 1;
