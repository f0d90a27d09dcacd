import type { TransactionalTool } from '../tools/port.ts';
import { scheduleTool } from '../tools/schedule/schedule-tool.ts';
import { todoTool } from '../tools/todo/todo-tool.ts';
import { viewTool } from '../tools/view.ts';

/** The tools whose rows belong to the owner; `changed` is called after each run, for reminders may have been made. */
export const createOwnerTools = (changed: () => void): TransactionalTool[] =>
  [todoTool, viewTool, scheduleTool].map((tool) => ({
    ...tool,
    *run(input, call) {
      // After the transaction that this runs in.
      setImmediate(changed);
      return yield* tool.run(input, call);
    },
  }));
