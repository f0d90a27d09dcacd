import type { EventOf, PlanEdit, TaskEvent } from '../../../contracts/event.ts';
import { PLAN_ITEMS_READ_MAX, STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { isEnded, type TaskContext } from '../../../contracts/task.ts';
import { plainLine } from '../../../contracts/text.ts';
import { validateEvent } from '../../../machines/laws.ts';
import { planEdited } from '../../../machines/plan-changes.ts';
import type { Task } from '../../../machines/step.ts';
import { parsePlanEdit } from '../../commands/task-commands.ts';
import { ServiceError } from '../../lib/errors.ts';
import { allItems } from '../../projections/items.ts';
import { taskView } from '../../projections/task-view.ts';
import { type NewTurn, sentBy } from '../image.ts';
import type { InputOf } from '../input.ts';
import { planFileEdits } from './plan-file-edits.ts';
import type { SessionDraft } from './session-draft.ts';
import { commandLanguage, commandReply, refusal } from './task-controls.ts';

/** Longest step in the reply to an edit, in characters; `/plan` shows it whole. */
const STEP_SHOWN_MAX = 160;

/** `/plan` in the forms that change the current task's plan, while it waits or is paused (SPEC 3). */
export const editPlan = (draft: SessionDraft, turn: NewTurn, rest: string): void => {
  const language = commandLanguage(draft, turn.input);
  const { controls: texts, commands } = messages(language);
  const refuse = (output: string): void => draft.addTurn(turn, refusal(output));
  const { active } = draft.image;
  if (active !== null && active.task.state !== 'awaiting_user') return refuse(texts.planIsInUse);
  const parsed = parsePlanEdit(rest, language);
  if ('error' in parsed) return refuse(parsed.error);
  const taskId = active?.task.context.task_id ?? draft.lastPaused();
  const found = taskId === null ? null : draft.taskOf(taskId);
  if (taskId === null || found === null) return refuse(texts.noPlanToEdit);
  const { plan_initialized, plan_items } = found.task.context;
  if (!plan_initialized) return refuse(texts.noPlanYet);
  const event: TaskEvent = { type: 'plan.edited', turn_id: turn.turn_id, edits: [parsed.edit], ...sentBy(turn) };
  if (validateEvent(found.task, event) !== null) return refuse(texts.noSuchItem);
  if (parsed.edit.kind === 'add' && parsed.edit.step.length > STEP_CHARS_MAX)
    return refuse(texts.stepTooLong(STEP_CHARS_MAX));
  if (parsed.edit.kind === 'add' && plan_items.length >= PLAN_ITEMS_READ_MAX) return refuse(texts.planIsFull);
  if (active === null) draft.activate(taskId);
  const task = draft.apply(event);
  const listed = task.context.plan_items
    .map((item, i) => `${i + 1}. ${plainLine(item.step, STEP_SHOWN_MAX)} (${commands.itemStatus[item.status]})`)
    .join('\n');
  draft.addTurn(turn, commandReply(texts.planEdited(listed), taskView(task)));
};

/**
 * The index in the current plan of an item in the view's plan; null if it ended in an earlier plan or does not exist.
 */
const indexOf = (context: TaskContext, shown: number): number | null => {
  const item = allItems(context)[shown];
  const index = item === undefined ? -1 : context.plan_items.indexOf(item);
  return index === -1 ? null : index;
};

/** Where a new item goes in the current plan: before the item shown there, or at the end. */
const placeOf = (context: TaskContext, shown: number): number | null =>
  shown === allItems(context).length ? context.plan_items.length : indexOf(context, shown);

/** The edit with indexes of the current plan; null if one is not in it. */
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
  throw new ServiceError('INVALID_REQUEST', `Edit ${i} (counted from 0) cannot be made: ${reason}`);
};

/**
 * The edits as one event. Each refers to the plan as the edits before it leave it. Throws `INVALID_REQUEST` for an
 * impossible edit.
 */
const eventOf = (task: Task, { edits, by }: InputOf<'plan_edits'>): EventOf<'plan.edited'> => {
  const event: EventOf<'plan.edited'> = { type: 'plan.edited', turn_id: null, edits: [], ...sentBy({ by }) };
  const { context } = task;
  for (const [i, edit] of edits.entries()) {
    const shown = { ...context, ...planEdited(context, event) };
    event.edits.push(located(shown, edit) ?? refuse(i, 'its index is not in the current plan'));
    const rejection = validateEvent(task, event);
    if (rejection !== null) refuse(i, rejection);
    if (edit.kind === 'add' && shown.plan_items.length >= PLAN_ITEMS_READ_MAX)
      refuse(i, `a plan may have at most ${PLAN_ITEMS_READ_MAX} items`);
  }
  return event;
};

/** A task whose plan can be edited now. Throws a `ServiceError` for any other. */
const editableTask = (draft: SessionDraft, task_id: string): Task => {
  const found = draft.taskOf(task_id);
  if (found === null) throw new ServiceError('TASK_NOT_FOUND', 'There is no task with that id');
  const { state, context } = found.task;
  if (isEnded(state)) throw new ServiceError('TASK_FINISHED', `The task is ${state} already`);
  if (state !== 'awaiting_user' && state !== 'paused')
    throw new ServiceError('TASK_RUNNING', 'The task is running; its plan can be edited while it waits or is paused');
  if (!context.plan_initialized)
    throw new ServiceError(
      'EVENT_NOT_ACCEPTED',
      'The task has no plan yet; send "continue" to its session to make one',
    );
  return found.task;
};

const applyEdits = (draft: SessionDraft, task_id: string, event: EventOf<'plan.edited'>): void => {
  const { active, recent } = draft.image;
  const isActive = active?.task.context.task_id === task_id;
  if (!isActive && (active !== null || recent?.task_id !== task_id)) return draft.applyBeside(task_id, event);
  if (!isActive) draft.activate(task_id);
  draft.apply(event);
};

/**
 * Edits the plan of a waiting or paused task, all edits or none (SPEC 3). Throws a `ServiceError` if the task or an
 * edit does not allow it.
 */
export const editTaskPlan = (draft: SessionDraft, input: InputOf<'plan_edits'>): void =>
  applyEdits(draft, input.task_id, eventOf(editableTask(draft, input.task_id), input));

/**
 * Makes the plan of a waiting or paused task what an edited plan.json says (SPEC 10). A file that changes nothing is no
 * edit. Throws a `ServiceError` if the task or a step does not allow it.
 */
export const editPlanByFile = (draft: SessionDraft, { task_id, steps, by }: InputOf<'plan_file'>): void => {
  const task = editableTask(draft, task_id);
  const edits = planFileEdits(task.context, steps);
  if (edits.length === 0) return;
  const event: EventOf<'plan.edited'> = { type: 'plan.edited', turn_id: null, edits, ...sentBy({ by }) };
  if (planEdited(task.context, event).plan_items!.length > PLAN_ITEMS_READ_MAX)
    throw new ServiceError('INVALID_REQUEST', `A plan may have at most ${PLAN_ITEMS_READ_MAX} items`);
  applyEdits(draft, task_id, event);
};
