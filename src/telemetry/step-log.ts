import type { Log } from '../lib/log.ts';
import type { Telemetry, TraceOf } from './port.ts';

/** Logs a line for each step of a task's machine, at debug: what happened and where the task is. Never a word of users, models or tools. */
export const createStepLog = (log: Log, traceOf: TraceOf): Telemetry => ({
  committed: ({ session_id, steps }) => {
    for (const { event, task } of steps) {
      const { task_id, step_count, step_limit } = task.context;
      log.debug(
        { session_id, task_id, step_count, step_limit, state: task.state, event: event.type, ...traceOf(task_id) },
        'step',
      );
    }
  },
  happened: () => {},
  effectStarted: () => ({ run: (perform) => perform(), ended: () => {} }),
});
