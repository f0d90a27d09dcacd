import { z } from 'zod';
import { Effect, SessionEvent, TaskEvent, TaskOpened } from './event.ts';
import { Chain, SessionId, TaskId } from './ids.ts';
import { TaskState } from './task.ts';

/** The trace format's version; raised when a line's shape changes. */
export const TRACE_VERSION = 1;

const line = {
  v: z.literal(TRACE_VERSION),
  seq: z.number().int().min(1),
  /** When the event was committed, ISO 8601 in UTC. The machine never sees it. */
  at: z.iso.datetime(),
  session_id: SessionId,
  /** The machine that made this entry: its name and version. */
  machine: z.string(),
};

/** One event of a task, the resulting state, and the effects that it asked for (SPEC 12). */
export const TaskTraceEntry = z.strictObject({
  ...line,
  task_id: TaskId,
  event: z.discriminatedUnion('type', [TaskOpened, TaskEvent]),
  state: TaskState,
  step_count: z.number().int().min(0),
  effects: z.array(Effect),
  chain: Chain.optional(),
});
export type TaskTraceEntry = z.infer<typeof TaskTraceEntry>;

/** One event of a session outside any task. */
export const SessionTraceEntry = z.strictObject({
  ...line,
  task_id: z.null(),
  event: SessionEvent,
  state: z.null(),
  step_count: z.null(),
  effects: z.array(Effect).length(0),
  chain: Chain.optional(),
});
export type SessionTraceEntry = z.infer<typeof SessionTraceEntry>;

/** One line of a trace. `seq` has no gaps within a session. */
export const TraceEntry = z.union([TaskTraceEntry, SessionTraceEntry]);
export type TraceEntry = z.infer<typeof TraceEntry>;
