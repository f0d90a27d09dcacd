import type { PlanEdit } from '../../../contracts/event.ts';
import { PLAN_ITEMS_READ_MAX, STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { plainLine } from '../../../contracts/plain-line.ts';
import { parsePlanEdit } from '../../commands/plan-edit.ts';
import { taskView } from '../../projections/task-view.ts';
import type { NewTurn } from '../session-image.ts';
import { commandLanguage } from './command-language.ts';
import { commandReply } from './replies.ts';
import type { SessionDraft } from './session-draft.ts';

/** Longest step in the reply to an edit, in characters; `/plan` shows it whole. */
const STEP_SHOWN_MAX = 160;

const isInPlan = (edit: PlanEdit, length: number): boolean => {
  switch (edit.kind) {
    case 'add':
      return true;
    case 'drop':
    case 'mark':
      return edit.index < length;
    case 'move':
      return edit.from < length && edit.to < length;
    default:
      return edit satisfies never;
  }
};

/** `/plan` in the forms that change the current task's plan, while it waits or is paused (SPEC 3). */
export const editPlan = (draft: SessionDraft, turn: NewTurn, rest: string): void => {
  const language = commandLanguage(draft, turn.input);
  const { controls: texts, commands } = messages(language);
  const refuse = (output: string): void => draft.addTurn(turn, commandReply(output));
  const { active } = draft.image;
  if (active !== null && active.task.state !== 'awaiting_user') return refuse(texts.planIsInUse);
  const parsed = parsePlanEdit(rest, language);
  if ('error' in parsed) return refuse(parsed.error);
  const taskId = active?.task.context.task_id ?? draft.lastPaused();
  const found = taskId === null ? null : draft.taskOf(taskId);
  if (taskId === null || found === null) return refuse(texts.noPlanToEdit);
  const { plan_initialized, plan_items } = found.task.context;
  if (!plan_initialized) return refuse(texts.noPlanYet);
  if (!isInPlan(parsed.edit, plan_items.length)) return refuse(texts.noSuchItem);
  if (parsed.edit.kind === 'add' && parsed.edit.step.length > STEP_CHARS_MAX)
    return refuse(texts.stepTooLong(STEP_CHARS_MAX));
  if (parsed.edit.kind === 'add' && plan_items.length >= PLAN_ITEMS_READ_MAX) return refuse(texts.planIsFull);
  if (active === null) draft.activate(taskId);
  const task = draft.apply({ type: 'plan.edited', turn_id: turn.turn_id, edits: [parsed.edit] });
  const listed = task.context.plan_items
    .map((item, i) => `${i + 1}. ${plainLine(item.step, STEP_SHOWN_MAX)} (${commands.itemStatus[item.status]})`)
    .join('\n');
  draft.addTurn(turn, commandReply(texts.planEdited(listed), taskView(task)));
};
