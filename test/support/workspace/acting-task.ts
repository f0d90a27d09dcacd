import type { TaskSnapshot } from '../../../contracts/task.ts';

const item = {
  id: 'i1',
  step: 'Dig',
  status: 'in_progress',
  result: null,
  rounds: 1,
  depends_on: [],
  executor: 'default',
};
/** A task that works on its first item, as a mirror needs it; of its number. */
export const actingTask = (session: number): TaskSnapshot =>
  ({
    state: 'acting',
    context: {
      ...{
        task_id: `task_${session}`,
        goal: 'Garden',
        language: 'en',
        plan_items: [item],
        past_items: [],
        outcome: null,
      },
      ...{ rounds_item_id: 'i1', rounds: 1, iteration_count: 1, successful_steps: 1, failed_steps: 0, step_count: 1 },
      ...{ step_limit: 20, limits: { max_rounds_per_item: 12 }, last_thought_snapshot: null },
    },
  }) as unknown as TaskSnapshot;
