import type { TaskSnapshot } from '../../../contracts/task.ts';
import { type TaskTraceEntry, TRACE_VERSION } from '../../../contracts/trace.ts';
import { open, step, type Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import type { DrivenTask } from '../machine/task-driver.ts';

/** One entry with its task before and after, as projections get it. */
export interface Moment {
  before: TaskSnapshot | null;
  entry: TaskTraceEntry;
  after: TaskSnapshot;
}

/** The time of the first entry; each further one comes a second later. */
const BEGINS_AT = Date.UTC(2026, 0, 5, 9);

/** Everything that happened to a task, as the trace of a session with nothing else. */
export const momentsOf = ({ opening, events }: DrivenTask): Moment[] => {
  const { task_id, session_id } = opening;
  let before: Task | null = null;
  return [opening, ...events].map((event, i) => {
    const { task, effects } = event.type === 'task.opened' ? open(event) : step(before!, event);
    const at = new Date(BEGINS_AT + i * 1_000).toISOString();
    const head = { v: TRACE_VERSION, seq: i + 1, at, session_id, machine: MACHINE, task_id, event } as const;
    const entry = { ...head, state: task.state, step_count: task.context.step_count, effects };
    const moment = { before, entry, after: task };
    before = task;
    return moment;
  });
};

/** The same as a trace alone. */
export const traceOf = (task: DrivenTask): TaskTraceEntry[] => momentsOf(task).map(({ entry }) => entry);
