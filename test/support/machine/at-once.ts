import { expect } from 'vitest';
import type { NextAction } from '../../../contracts/answer.ts';
import type { TaskOpened } from '../../../contracts/event.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { allowedTools } from '../../../machines/plan-items.ts';

/**
 * Asserts that several tools may run at once: each only reads, the item allows it, none needs approval, and enough
 * steps are left for all.
 */
export const assertMayRunAtOnce = ({ catalogue }: TaskOpened, context: TaskContext, calls: NextAction[]): void => {
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.length).toBeLessThanOrEqual(8);
  expect(context.step_count + calls.length).toBeLessThanOrEqual(context.step_limit + 1);
  for (const { tool } of calls) {
    expect(allowedTools(context)).toContain(tool);
    const card = catalogue.tools.find(({ name }) => name === tool);
    expect(card).toMatchObject({ writes: false, side_by_side: true });
    expect(card?.approval ?? false).toBe(false);
  }
};
