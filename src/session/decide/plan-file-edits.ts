import type { PlanItem, PlanItemStatus } from '../../../contracts/answer.ts';
import type { PlanEdit } from '../../../contracts/event.ts';
import type { EditedStep, FileStepStatus } from '../../../contracts/http.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { isOpen } from '../../../machines/plan-items.ts';
import { ServiceError } from '../../lib/errors.ts';
import { earlierItems } from '../../projections/items.ts';
import { STEP_STATUS } from '../../projections/plan-file.ts';

const ITEM_STATUS: Record<FileStepStatus, PlanItemStatus> = {
  pending: 'not_started',
  running: 'in_progress',
  completed: 'completed',
  failed: 'blocked',
};

const isSame = ({ step, status }: PlanItem, edited: EditedStep): boolean =>
  step === edited.description && (edited.status === undefined || STEP_STATUS[status] === edited.status);

/** The steps that belong to the current plan. Throws for a change of an item that ended in an earlier one. */
const currentSteps = (context: TaskContext, steps: readonly EditedStep[]): EditedStep[] => {
  const current = new Set(context.plan_items.map(({ id }) => id));
  const earlier = new Map(earlierItems(context).flatMap((item) => (current.has(item.id) ? [] : [[item.id, item]])));
  return steps.filter((edited) => {
    const item = edited.id === undefined ? undefined : earlier.get(edited.id);
    if (item !== undefined && !isSame(item, edited))
      throw new ServiceError('INVALID_REQUEST', `Step "${item.id}" ended in an earlier plan and cannot be edited`);
    return item === undefined;
  });
};

/** An edited step, and the item of the plan that it still is; undefined: it is new, or says something else now. */
interface Wanted {
  edited: EditedStep;
  item: PlanItem | undefined;
}

/** Edits that bring the wanted items into their order, and add the new ones among them. `order` has the ids, null for a new one. */
const placed = (order: (string | null)[], wanted: readonly Wanted[]): PlanEdit[] => {
  const kept = new Set(wanted.flatMap(({ item }) => item?.id ?? []));
  const edits: PlanEdit[] = [];
  let place = 0;
  for (const { edited, item } of wanted) {
    if (item === undefined) {
      edits.push({ kind: 'add', step: edited.description, index: place });
      order.splice(place, 0, null);
    } else {
      while (!kept.has(order[place] ?? '')) place += 1;
      const from = order.indexOf(item.id);
      if (from !== place) edits.push({ kind: 'move', from, to: place });
      order.splice(place, 0, ...order.splice(from, 1));
    }
    place += 1;
  }
  return edits;
};

/** Edits for the steps whose status is another one now. A new step never begins as running, nor does one with other words. */
const marked = (order: readonly (string | null)[], wanted: readonly Wanted[]): PlanEdit[] => {
  const added = order.flatMap((id, index) => (id === null ? [index] : []));
  return wanted.flatMap(({ edited: { status }, item }): PlanEdit[] => {
    const index = item === undefined ? added.shift()! : order.indexOf(item.id);
    const isBegun = item === undefined && status === 'running';
    if (status === undefined || isBegun || status === STEP_STATUS[item?.status ?? 'not_started']) return [];
    return [{ kind: 'mark', index, status: ITEM_STATUS[status] }];
  });
};

/**
 * The edits that make a task's plan what an edited plan.json says (SPEC 10): items are matched by their id. An open item
 * that the file has no more, or with other words, is dropped; an ended one stays. Indexes are of the current plan.
 */
export const planFileEdits = (context: TaskContext, steps: readonly EditedStep[]): PlanEdit[] => {
  const items = new Map(context.plan_items.map((item) => [item.id, item]));
  const wanted = currentSteps(context, steps).map((edited): Wanted => {
    const item = edited.id === undefined ? undefined : items.get(edited.id);
    return { edited, item: item?.step === edited.description ? item : undefined };
  });
  const stays = new Set(wanted.map(({ item }) => item));
  const dropped = context.plan_items.flatMap((item, index): PlanEdit[] =>
    isOpen(item) && !stays.has(item) ? [{ kind: 'drop', index }] : [],
  );
  const order: (string | null)[] = context.plan_items.map(({ id }) => id);
  const moved = placed(order, wanted);
  return [...dropped, ...moved, ...marked(order, wanted)];
};
