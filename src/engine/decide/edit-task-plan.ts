import type { EventOf, PlanEdit } from '../../../contracts/event.ts';
import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { editsTaken, withEdit } from '../../../machines/changes/plan-changes.ts';
import { isEnded } from '../../../machines/is-settled.ts';
import { catalogueNames } from '../../../machines/plan-items.ts';
import type { Task } from '../../../machines/step.ts';
import { validateEvent } from '../../../machines/validate-event.ts';
import { ServiceError } from '../../lib/errors.ts';
import { allItems } from '../../projections/items.ts';
import type { PlanEdits } from '../session-input.ts';
import type { SessionDraft } from './session-draft.ts';

/** Where an item of the view's plan is in the current plan; null for one that ended in an earlier plan, and for none. */
const indexOf = (context: TaskContext, shown: number): number | null => {
  const item = allItems(context)[shown];
  const index = item === undefined ? -1 : context.plan_items.indexOf(item);
  return index === -1 ? null : index;
};

/** Where a new item goes in the current plan: before the item that is shown there, or behind the last one. */
const placeOf = (context: TaskContext, shown: number): number | null =>
  shown === allItems(context).length ? context.plan_items.length : indexOf(context, shown);

/** The edit with indexes of the current plan; null where one is none of it. */
const located = (context: TaskContext, edit: PlanEdit): PlanEdit | null => {
  switch (edit.kind) {
    case 'add': {
      const index = edit.index === undefined ? context.plan_items.length : placeOf(context, edit.index);
      return index === null ? null : { ...edit, index };
    }
    case 'drop':
    case 'mark': {
      const index = indexOf(context, edit.index);
      return index === null ? null : { ...edit, index };
    }
    case 'move': {
      const [from, to] = [indexOf(context, edit.from), indexOf(context, edit.to)];
      return from === null || to === null ? null : { ...edit, from, to };
    }
    default:
      return edit satisfies never;
  }
};

const refuse = (i: number, reason: string): never => {
  throw new ServiceError('INVALID_REQUEST', `Edit ${i} (counted from 0) can not be made: ${reason}`);
};

/** The edits as one event; each is located in the plan as the edits before it leave it. Throws `INVALID_REQUEST` for one that can't be made. */
const eventOf = (task: Task, edits: readonly PlanEdit[]): EventOf<'plan.edited'> => {
  const event: EventOf<'plan.edited'> = { type: 'plan.edited', turn_id: null, edits: [] };
  const { context } = task;
  const names = catalogueNames(context);
  let after = context;
  for (const [i, edit] of edits.entries()) {
    // Each edit is made once: all of those before it anew for each would be a thousand for fifty.
    const place = located({ ...context, ...editsTaken(context, after) }, edit);
    const next = place ?? refuse(i, 'it names no item of the current plan');
    event.edits.push(next);
    const rejection = validateEvent(task, event);
    if (rejection !== null) refuse(i, rejection);
    after = withEdit(after, next, names);
  }
  return event;
};

/**
 * Edits the plan of a task that waits for its user or is paused, all edits or none (SPEC 3). Throws `TASK_NOT_FOUND`,
 * `TASK_RUNNING`, `TASK_FINISHED`, `EVENT_NOT_ACCEPTED` before there is a plan, and `INVALID_REQUEST` for an edit that can't be made.
 */
export const editTaskPlan = (draft: SessionDraft, { task_id, edits }: PlanEdits, limits: ServiceLimits): void => {
  const { active, recent, seq } = draft.image;
  const found = draft.taskOf(task_id);
  if (found === null) throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
  const { state, context } = found.task;
  if (isEnded(state)) throw new ServiceError('TASK_FINISHED', `The task is ${state} already`);
  if (state !== 'awaiting_user' && state !== 'paused')
    throw new ServiceError('TASK_RUNNING', 'The task is running; its plan can be edited while it waits or is paused');
  if (!context.plan_initialized)
    throw new ServiceError(
      'EVENT_NOT_ACCEPTED',
      'The task has no plan yet; send "continue" to its session to make one',
    );
  if (seq >= limits.session_entries)
    throw new ServiceError('TOO_MANY_REQUESTS', 'This session is as long as one may be; go on in a new one');
  const event = eventOf(found.task, edits);
  const isActive = active?.task.context.task_id === task_id;
  if (!isActive && (active !== null || recent?.task_id !== task_id)) return draft.applyBeside(task_id, event);
  if (!isActive) draft.activate(task_id);
  draft.apply(event);
};
