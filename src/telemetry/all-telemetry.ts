import type { Log } from '../lib/log.ts';
import type { Telemetry, TraceOf } from './port.ts';

/** All of them that there are, as one: each gets everything, in this order. */
export const allTelemetry = (...parts: (Telemetry | undefined | false)[]): Telemetry => {
  const all = parts.filter((part) => part !== undefined && part !== false);
  return {
    committed: (report) => {
      for (const each of all) each.committed(report);
    },
    happened: (happening) => {
      for (const each of all) each.happened(happening);
    },
    effectStarted: (effect, origin) => {
      const spans = all.map((each) => each.effectStarted(effect, origin));
      return {
        run: (perform) => spans.reduceRight((inner, span) => () => span.run(inner), perform)(),
        ended: (outcome, usage) => {
          for (const span of spans) span.ended(outcome, usage);
        },
      };
    },
  };
};

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
