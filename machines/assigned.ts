import { assign } from 'xstate';
import type { EventOf, TaskEvent, TaskEventType } from '../contracts/event.ts';
import type { TaskContext } from '../contracts/task.ts';
import { as } from './guards.ts';

/** The fields of a user's turn beside its words; the newest count. */
const brought = (event: TaskEvent): Partial<TaskContext> => ({
  ...('metadata' in event && event.metadata !== undefined && { metadata: event.metadata }),
  ...('context' in event && event.context !== undefined && { background: event.context }),
  ...('answer_schema' in event && event.answer_schema !== undefined && { answer_schema: event.answer_schema }),
  ...('expires_in' in event && event.expires_in !== undefined && { expires_in: event.expires_in }),
});

/** XState's `assign` with the machine's types: an action that changes the task, as a pure function of the task and the event. */
export const assigned = (change: (context: TaskContext, event: TaskEvent) => Partial<TaskContext>) =>
  assign<TaskContext, TaskEvent, undefined, TaskEvent, never>(({ context, event }) => ({
    ...change(context, event),
    ...brought(event),
  }));

/** Such an action for transitions of one event. */
export const at = <Type extends TaskEventType>(
  type: Type,
  change: (context: TaskContext, event: EventOf<Type>) => Partial<TaskContext>,
) => assigned((context, event) => change(context, as(type, event)));
