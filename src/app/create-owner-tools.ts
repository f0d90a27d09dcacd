import type { Database } from 'better-sqlite3';
import type { TransactionalTool } from '../tools/port.ts';
import { createScheduleTool } from '../tools/schedule/schedule-tool.ts';
import { createTodoTool } from '../tools/todo/todo-tool.ts';
import { createViewTool } from '../tools/view.ts';

/** The tools whose rows belong to the owner; `changed` is told after each run, for reminders may have been made. */
export const createOwnerTools = (db: Database, changed: () => void): TransactionalTool[] =>
  [createTodoTool(db), createViewTool(db), createScheduleTool(db)].map((tool) => ({
    ...tool,
    run: (input, call) => {
      // After the transaction that this runs in.
      setImmediate(changed);
      return tool.run(input, call);
    },
  }));
